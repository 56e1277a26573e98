// three_test.mjs FILE...: three.js loads the glTF, finds the bones where they belong, and a bent knee moves the skin below it.
import path from 'node:path';

import { withPage } from './browser.mjs';
import { anatomyFaults, distance, expectedJoints, hasExpectedJoints } from './expected.mjs';
import { Report } from './report.mjs';

const html = `<!doctype html><html><head><script type="importmap">{"imports":{
  "three": "/code/node_modules/three/build/three.module.js", "three/addons/": "/code/node_modules/three/examples/jsm/"}}</script></head><body>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
window.library = { THREE, GLTFLoader };
window.ready = true;
</script></body></html>`;

/** Runs in the page: bones with their places in the bind pose, then what a bent knee does to the vertices. */
async function examine({ url, kneeName, angle }) {
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
  root.updateMatrixWorld(true);
  for (const mesh of meshes) {
    mesh.skeleton.pose();
    mesh.morphTargetInfluences?.fill(0);  // a file may show a morph at rest
  }
  root.updateMatrixWorld(true);
  const places = bones.map((bone) => ({ name: nameOf(bone), place: bone.getWorldPosition(new THREE.Vector3()).toArray() }));

  const vertices = () => meshes.flatMap((mesh) => {
    mesh.skeleton.update();
    const count = mesh.geometry.attributes.position.count;
    return Array.from({ length: count }, (_, i) => mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
  });
  const before = vertices();
  // In the bind pose skinning changes nothing.
  const stored = meshes.flatMap((mesh) => Array.from({ length: mesh.geometry.attributes.position.count },
    (_, i) => new THREE.Vector3().fromBufferAttribute(mesh.geometry.attributes.position, i).applyMatrix4(mesh.bindMatrix)));
  const bindError = Math.max(...before.map((p, i) => p.distanceTo(stored[i])));

  const knee = bones.find((bone) => nameOf(bone) === kneeName);
  if (!knee) return { places, bindError, vertices: before.length, missing: true };
  const below = new Set();
  knee.traverse((node) => below.add(node));
  const shares = meshes.flatMap((mesh) => {
    const { skinIndex, skinWeight } = mesh.geometry.attributes;
    return Array.from({ length: skinIndex.count }, (_, i) => {
      let share = 0;
      for (let k = 0; k < 4; k += 1) if (below.has(mesh.skeleton.bones[skinIndex.getComponent(i, k)])) share += skinWeight.getComponent(i, k);
      return share;
    });
  });
  // A turn about the body's left-right axis, given in the scene's frame.
  const turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, -1), angle);
  const parent = knee.parent.getWorldQuaternion(new THREE.Quaternion());
  knee.quaternion.premultiply(parent.clone().invert().multiply(turn).multiply(parent));
  root.updateMatrixWorld(true);
  const pivot = knee.getWorldPosition(new THREE.Vector3());
  const after = vertices();
  let carried = 0;
  let carriedError = 0;
  let stillError = 0;
  let blended = 0;
  let blendedMoved = 0;
  before.forEach((from, i) => {
    if (shares[i] > 0.99995) {
      const expected = from.clone().sub(pivot).applyQuaternion(turn).add(pivot);
      carried += 1;
      carriedError = Math.max(carriedError, expected.distanceTo(after[i]));
    } else if (shares[i] === 0) {
      stillError = Math.max(stillError, from.distanceTo(after[i]));
    } else {
      blended += 1;
      if (from.distanceTo(after[i]) > 1e-6) blendedMoved += 1;
    }
  });
  return { places, bindError, vertices: before.length, carried, carriedError, stillError, blended, blendedMoved };
}

const report = new Report('three.js');
const files = process.argv.slice(2);
const angle = Math.PI / 3;
await withPage(html, files, [320, 240], async ({ page, address, complaints }) => {
  for (const file of files) {
    const name = path.basename(file);
    let seen;
    try {
      seen = await page.evaluate(examine, { url: address(file), kneeName: 'Lower_Leg_Left', angle });
    } catch (problem) {
      report.check(false, `${name}: loads`, problem.message);
      complaints();
      continue;
    }
    const heard = complaints();
    report.check(heard.length === 0, `${name}: nothing to complain about`, heard.slice(0, 3).join('; '));
    if (hasExpectedJoints(file)) {
      const found = new Map(seen.places.map((bone) => [bone.name, bone.place]));
      const wanted = expectedJoints(file);
      let worst = 0;
      let worstName = '';
      for (const joint of wanted) {
        const place = found.get(joint.name);
        if (!report.check(place !== undefined, `${name}: bone ${joint.name} is there`)) continue;
        // The written file faces +X: forward is x, the body's left is -z.
        const [left, up, forward] = joint.place;
        const off = distance(place, [forward, up, -left]);
        if (off > worst) [worst, worstName] = [off, joint.name];
      }
      report.check(worst < 1e-4, `${name}: bones at their places`, `${worstName} is off by ${worst} m`);
      report.note(`${name}: ${wanted.length} bones within ${worst.toExponential(1)} m`);
    }
    // Back to x left, y up, z forward.
    const canonical = new Map(seen.places.map((bone) => [bone.name, [-bone.place[2], bone.place[1], bone.place[0]]]));
    const faults = anatomyFaults(canonical, { leftHip: 'Upper_Leg_Left', rightHip: 'Upper_Leg_Right', head: 'Head' });
    report.check(faults.length === 0, `${name}: left is left and up is up`, faults.join('; '));
    report.check(seen.bindError < 1e-4, `${name}: skinning changes nothing in the bind pose`, `off by ${seen.bindError} m`);
    if (!report.check(!seen.missing, `${name}: has the left knee`)) continue;
    report.check(seen.carried > 0, `${name}: vertices hang on the lower leg`, `found ${seen.carried}`);
    report.check(seen.carriedError < 1e-4, `${name}: the lower leg turns about the knee`, `off by ${seen.carriedError} m`);
    report.check(seen.stillError < 1e-5, `${name}: nothing else moves`, `off by ${seen.stillError} m`);
    report.check(seen.blendedMoved === seen.blended, `${name}: the skin at the knee follows`, `${seen.blendedMoved} of ${seen.blended}`);
    report.note(`${name}: ${seen.vertices} vertices, ${seen.carried} turn with the knee (within ${seen.carriedError.toExponential(1)} m), ${seen.blended} in between`);
  }
});
report.finish();
