// poses_test.mjs FILE...: forward kinematics and skinning by other programs, against the library's. three.js plays the glTF files; for X3D files
// X_ITE reads the scene and its interpolators, and the standard's formulas are applied to the fields that it holds.
import path from 'node:path';

import { withPage } from './browser.mjs';
import { distance } from './expected.mjs';
import { comparePoses, expectedPoses } from './poses.mjs';
import { Report } from './report.mjs';

const html = `<!doctype html><html><head><script type="importmap">{"imports":{
  "three": "/code/node_modules/three/build/three.module.js", "three/addons/": "/code/node_modules/three/examples/jsm/"}}</script></head><body>
<x3d-canvas splashScreen="false" notifications="false" contextMenu="false" timings="false" cache="false"></x3d-canvas>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import X3D from '/code/node_modules/x_ite/dist/x_ite.mjs';
window.library = { THREE, GLTFLoader };
window.X3D = X3D;
window.ready = true;
</script></body></html>`;

/** In the page: the glTF's clip at every time; places in the file's storage axes turned to x left, y up, z forward (it faces +X). */
async function playGltf({ url, expected }) {
  const { THREE, GLTFLoader } = window.library;
  const gltf = await new GLTFLoader().loadAsync(url);
  const root = gltf.scene;
  const nameOf = (bone) => gltf.parser.json.nodes[gltf.parser.associations.get(bone)?.nodes]?.name ?? bone.name;
  const bones = [];
  const meshes = [];
  root.traverse((node) => {
    if (node.isBone) bones.push(node);
    if (node.isSkinnedMesh) meshes.push(node);
  });
  const canonical = (v) => [-v.z, v.y, v.x];
  // Each wanted vertex by its place in the bind pose, which the file's positions are.
  const chosen = expected.rest.map((place) => {
    let best = { off: Infinity };
    for (const mesh of meshes) {
      const positions = mesh.geometry.attributes.position;
      for (let i = 0; i < positions.count; i += 1) {
        const at = [-positions.getZ(i), positions.getY(i), positions.getX(i)];
        const off = Math.max(Math.abs(at[0] - place[0]), Math.abs(at[1] - place[1]), Math.abs(at[2] - place[2]));
        if (off < best.off) best = { off, mesh, i };
      }
    }
    return best;
  });
  const mixer = new THREE.AnimationMixer(root);
  const clip = gltf.animations[0];
  mixer.clipAction(clip).play();
  const poses = expected.poses.map(({ time }) => {
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    for (const mesh of meshes) mesh.skeleton.update();
    const joints = {};
    for (const bone of bones) joints[nameOf(bone)] = canonical(bone.getWorldPosition(new THREE.Vector3()));
    // The mesh's own transform means nothing for a skinned mesh: attached skinning brings vertices back into its space.
    const vertices = chosen.map(({ mesh, i }) => canonical(mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld)));
    return { joints, vertices };
  });
  return { poses, unmatched: Math.max(...chosen.map(({ off }) => off)) };
}

/** In the page: the X3D's interpolators at every time, joints composed and points skinned as ISO/IEC 19774 says. */
async function playX3d({ url, expected }) {
  const { X3D } = window;
  const browser = document.querySelector('x3d-canvas').browser;
  const scene = await browser.createX3DFromURL(new X3D.MFString(url));
  const inner = (value) => value?.getValue?.() ?? value;
  const fieldOf = (node, name) => {
    try {
      return node.getField(name);
    } catch {
      return undefined;
    }
  };
  const nodes = [...scene.rootNodes].filter(Boolean).map(inner);
  // Interpolators by the joint and the field that they drive.
  const driven = new Map();
  let cycle = 1;
  for (const route of scene.routes) {
    const from = inner(route.sourceNode);
    const to = inner(route.destinationNode);
    if (from.getTypeName() === 'TimeSensor') {
      cycle = fieldOf(from, 'cycleInterval').getValue();
      continue;
    }
    if (!driven.has(to)) driven.set(to, {});
    driven.get(to)[route.destinationField.replace(/^set_/, '')] = from;
  }
  const span = (keys, fraction) => {
    if (fraction <= keys[0]) return [0, 0, 0];
    for (let k = 1; k < keys.length; k += 1) {
      if (fraction <= keys[k]) return [k - 1, k, keys[k] > keys[k - 1] ? (fraction - keys[k - 1]) / (keys[k] - keys[k - 1]) : 1];
    }
    return [keys.length - 1, keys.length - 1, 0];
  };
  const valueAt = (interpolator, fraction) => {
    const keys = [...fieldOf(interpolator, 'key')];
    const values = fieldOf(interpolator, 'keyValue');
    const [a, b, t] = span(keys, fraction);
    if (interpolator.getTypeName() === 'OrientationInterpolator') return values[a].slerp(values[b], t).getValue();
    return values[a].lerp(values[b], t).getValue();
  };
  const humanoids = [];
  const joints = [];
  const seen = new Set();
  const walk = (node, parent) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    let above = parent;
    if (node.getTypeName() === 'HAnimHumanoid') humanoids.push(node);
    if (node.getTypeName() === 'HAnimJoint') {
      joints.push({ node, parent, name: fieldOf(node, 'name').getValue() });
      above = joints.length - 1;
    }
    for (const field of ['children', 'skeleton']) for (const value of fieldOf(node, field) ?? []) walk(inner(value), above);
  };
  for (const node of nodes) walk(node, -1);
  const points = [...fieldOf(inner(fieldOf(humanoids[0], 'skinCoord')), 'point')].map((p) => [p.x, p.y, p.z]);
  const chosen = expected.rest.map((place) => {
    let best = { off: Infinity };
    points.forEach((at, i) => {
      const off = Math.max(Math.abs(at[0] - place[0]), Math.abs(at[1] - place[1]), Math.abs(at[2] - place[2]));
      if (off < best.off) best = { off, i };
    });
    return best;
  });
  const wanted = new Map(chosen.map(({ i }, v) => [i, v]));
  const weights = chosen.map(() => []);
  joints.forEach((joint, j) => {
    const indices = [...fieldOf(joint.node, 'skinCoordIndex')];
    const shares = [...fieldOf(joint.node, 'skinCoordWeight')];
    indices.forEach((i, k) => {
      if (wanted.has(i)) weights[wanted.get(i)].push([j, shares[k]]);
    });
  });
  const poses = expected.poses.map(({ time }) => {
    const matrices = [];
    const places = {};
    joints.forEach((joint, j) => {
      const value = (field) => {
        const by = driven.get(joint.node)?.[field];
        return by ? valueAt(by, time / cycle) : fieldOf(joint.node, field).getValue();
      };
      const own = new X3D.Matrix4().set(value('translation'), value('rotation'), value('scale'), value('scaleOrientation'), value('center'));
      matrices[j] = joint.parent < 0 ? own : own.multRight(matrices[joint.parent]);
      places[joint.name] = [...matrices[j].multVecMatrix(fieldOf(joint.node, 'center').getValue().copy())];
    });
    const vertices = chosen.map(({ i }, v) => {
      const rest = points[i];
      let left = 1;
      const sum = [0, 0, 0];
      for (const [j, share] of weights[v]) {
        const moved = [...matrices[j].multVecMatrix(new X3D.Vector3(...rest))];
        for (let axis = 0; axis < 3; axis += 1) sum[axis] += share * moved[axis];
        left -= share;
      }
      return sum.map((value, axis) => value + left * rest[axis]);
    });
    return { joints: places, vertices };
  });
  return { poses, unmatched: Math.max(...chosen.map(({ off }) => off)) };
}

const report = new Report('poses');
const files = process.argv.slice(2);
const figures = new Map();
await withPage(html, files, [320, 240], async ({ page, address }) => {
  for (const file of files) {
    const expected = expectedPoses(file);
    const play = file.endsWith('.x3d') ? playX3d : playGltf;
    let seen;
    try {
      seen = await page.evaluate(play, { url: address(file), expected });
    } catch (problem) {
      report.check(false, `${path.basename(file)}: plays`, problem.message);
      continue;
    }
    // Single precision of coordinates and keys, and players that mix quaternions in single precision.
    comparePoses(report, file, expected, seen, 1e-4);
    const [figure, side] = /^(.*)\.(before|after)\.[^.]*$/.exec(path.basename(file)).slice(1);
    figures.set(figure, { ...figures.get(figure), [side]: { expected, seen } });
  }
  // Before against after, both from the viewers: what the conversion promises exactly, both hips and the lowest spine joint.
  const pairs = [['l_hip', 'Upper_Leg_Left'], ['r_hip', 'Upper_Leg_Right'], ['vl5', 'Lower_Spine']];
  for (const [figure, { before, after }] of figures) {
    if (!report.check(before && after, `${figure}: seen before and after`)) continue;
    const shift = after.expected.shift;
    let worst = 0;
    let compared = 0;
    before.seen.poses.forEach((pose, k) => {
      for (const pair of pairs) {
        const here = pair.map((name) => pose.joints[name]).find(Boolean);
        const there = pair.map((name) => after.seen.poses[k].joints[name]).find(Boolean);
        if (!here || !there) continue;
        compared += 1;
        worst = Math.max(worst, distance(here.map((value, axis) => value + shift[axis]), there));
      }
    });
    report.check(compared >= 20, `${figure}: hips compared`, `${compared} places`);
    // Between keys the conversion may be 1e-3 rad off per group; the hips hang on one short bone.
    report.check(worst < 5e-4, `${figure}: hips and lowest spine joint where they were`, `off by ${worst} m`);
    report.note(`${figure}: hips and lowest spine joint within ${worst.toExponential(1)} m before and after, ${compared} places`);
  }
});
report.finish();
