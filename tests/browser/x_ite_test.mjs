// x_ite_test.mjs FILE...: X_ITE loads the X3D without a complaint, finds the joints where they belong, and a bent knee moves the skin.
import path from 'node:path';

import { changedPixelsPerRow, steadyPicture, withPage } from './browser.mjs';
import { anatomyFaults, distance, expectedJoints, hasExpectedJoints } from './expected.mjs';
import { Report } from './report.mjs';

const size = [400, 560];
const html = `<!doctype html><html><head><style>body { margin: 0 } x3d-canvas { display: block; width: ${size[0]}px; height: ${size[1]}px; border: 0 }</style></head><body>
<x3d-canvas splashScreen="false" notifications="false" contextMenu="false" timings="false" cache="false"></x3d-canvas>
<script type="module">
import X3D from '/code/node_modules/x_ite/dist/x_ite.mjs';
window.X3D = X3D;
window.ready = true;
</script></body></html>`;

/** Runs in the page: loads the file, stops its clocks, brings every joint to rest and shows it from the side. Gives the joints with their places. */
async function load({ url, turned }) {
  const { X3D } = window;
  const browser = document.querySelector('x3d-canvas').browser;
  const scene = await browser.createX3DFromURL(new X3D.MFString(url));
  const nodes = [...scene.rootNodes].filter(Boolean);
  const joints = [];
  const seen = new Set();
  const child = (value) => value?.getValue?.() ?? value;
  const typeOf = (node) => node.getTypeName();
  // A joint's matrix is composed here from the fields that X_ITE holds, as the standard says.
  const matrixOf = (node) => {
    const value = (field) => node.getField(field).getValue();
    return new X3D.Matrix4().set(value('translation'), value('rotation'), value('scale'), value('scaleOrientation'), value('center'));
  };
  const fieldOf = (node, name) => {
    try {
      return node.getField(name);
    } catch {
      return undefined;
    }
  };
  const walk = (node, matrix, parent) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    const type = typeOf(node);
    if (type === 'TimeSensor' || type === 'HAnimMotion') fieldOf(node, 'enabled').setValue(false);
    let own = matrix;
    let above = parent;
    if (type === 'HAnimJoint') {
      fieldOf(node, 'rotation').setValue(new X3D.Rotation4());
      fieldOf(node, 'translation').setValue(new X3D.Vector3());
    }
    if (['HAnimJoint', 'HAnimHumanoid', 'HAnimSite', 'Transform'].includes(type)) own = matrixOf(node).multRight(matrix);
    if (type === 'HAnimJoint') {
      above = fieldOf(node, 'name').getValue();
      joints.push({ name: above, parent, node, place: [...own.multVecMatrix(fieldOf(node, 'center').getValue().copy())] });
    }
    for (const field of ['children', 'skeleton']) for (const value of fieldOf(node, field) ?? []) walk(child(value), own, above);
  };
  for (const node of nodes) walk(child(node), new X3D.Matrix4(), null);

  // A camera of our own: from the figure's left, all of it in view whatever the knee does.
  const low = Math.min(...joints.map((joint) => joint.place[1]), 0);
  const high = Math.max(...joints.map((joint) => joint.place[1]));
  const height = high - low;
  const half = 0.65 * height;
  const wide = (half * turned.size[0]) / turned.size[1];
  const middle = [0, (low + high) / 2, joints[0].place[2]];
  const extra = await browser.createX3DFromString(`#X3D V4.0 utf8
PROFILE Full
DEF Sky Background { skyColor 0.95 0.95 0.95 }
DEF Way NavigationInfo { headlight TRUE transitionType "TELEPORT" type "NONE" }
DEF Camera OrthoViewpoint { position ${middle[0] + 3 * height} ${middle[1]} ${middle[2]} orientation 0 1 0 1.5707963 fieldOfView [ ${-wide} ${-half} ${wide} ${half} ] nearDistance 0.001 farDistance ${8 * height} }
`);
  for (const name of ['Sky', 'Way', 'Camera']) {
    const node = extra.getNamedNode(name);
    scene.rootNodes.push(node);
    node.set_bind = true;
  }
  await browser.replaceWorld(scene);
  for (const name of ['Sky', 'Way', 'Camera']) extra.getNamedNode(name).set_bind = true;
  window.turn = async (name, angle) => {
    const joint = joints.find((one) => one.name === name);
    if (joint) joint.node.getField('rotation').setValue(new X3D.Rotation4(1, 0, 0, angle));
    for (let i = 0; i < 4; i += 1) await browser.nextFrame();
    return Boolean(joint);
  };
  // Rows of the picture, from the top, that a height in metres falls on.
  const rowOf = (y) => Math.round(((middle[1] + half - y) / (2 * half)) * turned.size[1]);
  const knee = joints.find((joint) => joint.name === turned.knee);
  const hip = joints.find((joint) => joint.name === knee?.parent);
  return {
    joints: joints.map(({ name, parent, place }) => ({ name, parent, place })),
    kneeRow: knee && rowOf(knee.place[1]),
    hipRow: hip && rowOf(hip.place[1]),
  };
}

const report = new Report('X_ITE');
const files = process.argv.slice(2);
await withPage(html, files, size, async ({ page, address, complaints }) => {
  await page.evaluate(async () => {
    const browser = document.querySelector('x3d-canvas').browser;
    browser.setBrowserOption('Rubberband', false);
    await browser.loadComponents(browser.getProfile('Full'));
  });
  complaints();
  for (const file of files) {
    const name = path.basename(file);
    let seen;
    try {
      seen = await page.evaluate(load, { url: address(file), turned: { size, knee: 'l_knee' } });
    } catch (problem) {
      report.check(false, `${name}: loads`, problem.message);
      complaints();
      continue;
    }
    if (hasExpectedJoints(file)) {
      const found = new Map(seen.joints.map((joint) => [joint.name, joint]));
      const wanted = expectedJoints(file);
      let worst = 0;
      let worstName = '';
      for (const joint of wanted) {
        const there = found.get(joint.name);
        if (!report.check(there !== undefined, `${name}: joint ${joint.name} is there`)) continue;
        const off = distance(there.place, joint.place);
        if (off > worst) [worst, worstName] = [off, joint.name];
      }
      report.check(found.size === wanted.length, `${name}: number of joints`, `found ${found.size}, expected ${wanted.length}`);
      report.check(worst < 1e-4, `${name}: joints at their places`, `${worstName} is off by ${worst} m`);
      report.note(`${name}: ${wanted.length} joints within ${worst.toExponential(1)} m`);
    }
    const places = new Map(seen.joints.map((joint) => [joint.name, joint.place]));
    const faults = anatomyFaults(places, { leftHip: 'l_hip', rightHip: 'r_hip', head: 'skullbase' });
    report.check(faults.length === 0, `${name}: left is left and up is up`, faults.join('; '));
    if (report.check(seen.kneeRow !== undefined && seen.hipRow !== undefined, `${name}: has the left knee below a hip`)) {
      await page.evaluate(() => window.turn('', 0));
      const before = await steadyPicture(page, 'x3d-canvas');
      await page.evaluate(([knee, angle]) => window.turn(knee, angle), ['l_knee', Math.PI / 3]);
      const after = await steadyPicture(page, 'x3d-canvas');
      const rows = await changedPixelsPerRow(page, before, after);
      const sum = (from, to) => rows.slice(Math.max(0, from), to).reduce((total, count) => total + count, 0);
      const below = sum(seen.kneeRow, size[1]);
      const above = sum(0, seen.hipRow);
      report.check(below > 200, `${name}: a bent knee moves the skin below it`, `${below} pixels changed`);
      // Figures with stray joints may swing a marker up there, a body does not.
      report.check(above * 20 <= below, `${name}: and hardly anything above the hip`, `${above} pixels changed`);
      report.note(`${name}: a bent knee changes ${below} pixels below it, ${above} above the hip`);
    }
    const heard = complaints();
    report.check(heard.length === 0, `${name}: nothing to complain about`, heard.slice(0, 3).join('; '));
  }
});
report.finish();
