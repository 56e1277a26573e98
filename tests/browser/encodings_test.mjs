// encodings_test.mjs FILE...: X_ITE loads one figure in every encoding without a complaint, with the same joints, and it looks the same.
// The files of a figure have the same name up to the first '.'; the .x3d among them is what the others are compared with.
import path from 'node:path';

import { silhouettes, steadyPicture, withPage } from './browser.mjs';
import { Report } from './report.mjs';

const size = [400, 560];
const html = `<!doctype html><html><head><style>body { margin: 0 } x3d-canvas { display: block; width: ${size[0]}px; height: ${size[1]}px; border: 0 }</style></head><body>
<x3d-canvas splashScreen="false" notifications="false" contextMenu="false" timings="false" cache="false"></x3d-canvas>
<script type="module">
import X3D from '/code/node_modules/x_ite/dist/x_ite.mjs';
window.X3D = X3D;
window.ready = true;
</script></body></html>`;

/** Runs in the page: loads the file, stops its clocks, brings every joint to rest and shows it from the front. Gives joint centres by name. */
async function load({ url, size: wanted, frame }) {
  const { X3D } = window;
  const browser = document.querySelector('x3d-canvas').browser;
  const scene = await browser.createX3DFromURL(new X3D.MFString(url));
  const joints = {};
  const seen = new Set();
  const child = (value) => value?.getValue?.() ?? value;
  const fieldOf = (node, name) => {
    try {
      return node.getField(name);
    } catch {
      return undefined;
    }
  };
  // Nodes of the standard and instances of prototypes named like them.
  const walk = (node) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    const type = node.getTypeName();
    if (type === 'TimeSensor') fieldOf(node, 'enabled').setValue(false);
    if (type === 'HAnimJoint' || type === 'Joint') {
      fieldOf(node, 'rotation').setValue(new X3D.Rotation4());
      fieldOf(node, 'translation').setValue(new X3D.Vector3());
      joints[fieldOf(node, 'name').getValue()] = [...fieldOf(node, 'center').getValue()];
    }
    for (const field of ['children', 'skeleton', 'humanoidBody']) for (const value of fieldOf(node, field) ?? []) walk(child(value));
  };
  for (const node of [...scene.rootNodes].filter(Boolean)) walk(child(node));
  const places = Object.values(joints);
  const low = frame?.low ?? Math.min(...places.map((place) => place[1]), 0);
  const high = frame?.high ?? Math.max(...places.map((place) => place[1]));
  const half = 0.65 * (high - low);
  const wide = (half * wanted[0]) / wanted[1];
  const extra = await browser.createX3DFromString(`#X3D V4.0 utf8
PROFILE Full
DEF Sky Background { skyColor 0.95 0.95 0.95 }
DEF Way NavigationInfo { headlight TRUE transitionType "TELEPORT" type "NONE" }
DEF Camera OrthoViewpoint { position 0 ${(low + high) / 2} ${3 * (high - low)} fieldOfView [ ${-wide} ${-half} ${wide} ${half} ] nearDistance 0.001 farDistance ${8 * (high - low)} }
`);
  for (const name of ['Sky', 'Way', 'Camera']) scene.rootNodes.push(extra.getNamedNode(name));
  await browser.replaceWorld(scene);
  for (const name of ['Sky', 'Way', 'Camera']) extra.getNamedNode(name).set_bind = true;
  for (let i = 0; i < 4; i += 1) await browser.nextFrame();
  return { joints, frame: { low, high } };
}

const report = new Report('X_ITE encodings');
const groups = new Map();
for (const file of process.argv.slice(2)) {
  const figure = path.basename(file).split('.')[0];
  groups.set(figure, [...(groups.get(figure) ?? []), file]);
}
await withPage(html, process.argv.slice(2), size, async ({ page, address, complaints }) => {
  await page.evaluate(async () => {
    const browser = document.querySelector('x3d-canvas').browser;
    browser.setBrowserOption('Rubberband', false);
    await browser.loadComponents(browser.getProfile('Full'));
  });
  complaints();
  for (const [figure, files] of groups) {
    const xml = files.find((file) => file.endsWith(`${figure}.x3d`));
    if (!report.check(xml !== undefined, `${figure}: there is the X3D XML to compare with`)) continue;
    let reference;
    for (const file of [xml, ...files.filter((other) => other !== xml)]) {
      const name = path.basename(file);
      let seen;
      try {
        seen = await page.evaluate(load, { url: address(file), size, frame: reference?.seen.frame });
      } catch (problem) {
        report.check(false, `${name}: loads`, problem.message);
        complaints();
        continue;
      }
      const picture = await steadyPicture(page, 'x3d-canvas');
      // VRML97 must declare the prototypes of H-Anim 200x, which X_ITE remarks on.
      const heard = complaints().filter((text) => !/^warning: Added proto 'HAnim\w+', but will not override/.test(text));
      report.check(heard.length === 0, `${name}: nothing to complain about`, heard.slice(0, 3).join('; '));
      if (!reference) {
        reference = { seen, picture };
        continue;
      }
      const places = (joints) => Object.values(joints).map((place) => place.map((v) => v.toFixed(5)).join(' ')).sort();
      const own = places(seen.joints);
      const wanted = places(reference.seen.joints);
      report.check(own.length === wanted.length && own.every((place, i) => place === wanted[i]), `${name}: the same joints`, `${own.length} of ${wanted.length}`);
      const { overlap, pixels } = await silhouettes(page, reference.picture, picture);
      report.check(pixels > 2000, `${name}: there is a figure to see`, `${pixels} pixels`);
      report.check(overlap > 0.99, `${name}: looks the same`, `silhouettes overlap by ${overlap}`);
      report.note(`${name}: ${own.length} joints, silhouettes overlap by ${overlap.toFixed(4)}`);
    }
  }
});
report.finish();
