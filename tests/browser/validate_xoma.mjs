// validate_xoma.mjs [--mass] FILE...: asset files obey the official schema, the rules about humans, and the geometry beside them.
// VESALIUS_CORPUS names the folder with openmaterial/asset_schema-1.1.0.json; without it the schema check is left out, visibly.
import fs from 'node:fs';
import path from 'node:path';

import Ajv from 'ajv';
import addFormats from 'ajv-formats';

import { Report } from './report.mjs';

const needsMass = process.argv.includes('--mass');
const files = process.argv.slice(2).filter((argument) => argument !== '--mass');
const report = new Report('asset files');

let obeysSchema;
const schemaFile = process.env.VESALIUS_CORPUS && path.join(process.env.VESALIUS_CORPUS, 'openmaterial', 'asset_schema-1.1.0.json');
if (schemaFile && fs.existsSync(schemaFile)) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  obeysSchema = ajv.compile(JSON.parse(fs.readFileSync(schemaFile, 'utf8')));
} else {
  report.note('the official schema is not there (VESALIUS_CORPUS): only the rules are checked');
}

/** Facts of the glTF file with the same base name: triangles, meshes and the box of its positions. */
function geometryOf(file) {
  const base = file.replace(/\.xoma$/, '');
  const model = [`${base}.glb`, `${base}.gltf`].find((name) => fs.existsSync(name));
  if (!model) return undefined;
  const bytes = fs.readFileSync(model);
  const gltf = JSON.parse(model.endsWith('.glb') ? bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)) : bytes.toString('utf8'));
  let triangles = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const primitive of gltf.meshes.flatMap((mesh) => mesh.primitives)) {
    const positions = gltf.accessors[primitive.attributes.POSITION];
    triangles += (primitive.indices === undefined ? positions.count : gltf.accessors[primitive.indices].count) / 3;
    for (let axis = 0; axis < 3; axis += 1) {
      low[axis] = Math.min(low[axis], positions.min[axis]);
      high[axis] = Math.max(high[axis], positions.max[axis]);
    }
  }
  // glTF as written faces +X with y up; the asset file has x forward, y to the left, z up.
  return { triangles, meshes: gltf.meshes.length, animated: (gltf.animations ?? []).length > 0,
    box: { x: [low[0], high[0]], y: [-high[2], -low[2]], z: [low[1], high[1]] } };
}

for (const file of files) {
  const name = path.basename(file);
  const text = fs.readFileSync(file, 'utf8');
  let asset;
  try {
    asset = JSON.parse(text);
  } catch (problem) {
    report.check(false, `${name}: is JSON`, problem.message);
    continue;
  }
  if (obeysSchema) {
    const holds = obeysSchema(asset);
    report.check(holds, `${name}: obeys the schema`, JSON.stringify((obeysSchema.errors ?? []).slice(0, 3)));
  }
  const metadata = asset.metadata ?? {};
  const schema = `https://raw.githubusercontent.com/asam-ev/OpenMATERIAL-3D/refs/tags/v${metadata.openMaterial3dVersion}/schemas/asset_schema.json`;
  report.check(text.split(/\r?\n/)[1]?.trim() === `"$schema": "${schema}",`, `${name}: $schema of its version on line 2`, `found ${text.split(/\r?\n/)[1]}`);
  report.check(metadata.objectClass === 'human', `${name}: objectClass human`, `found ${metadata.objectClass}`);
  const box = metadata.boundingBox ?? {};
  for (const axis of ['x', 'y', 'z']) {
    report.check(Array.isArray(box[axis]) && box[axis][0] <= box[axis][1], `${name}: bounding box minimum is not above the maximum on ${axis}`, JSON.stringify(box[axis]));
  }
  if (needsMass) {
    const mass = metadata.humanClassData?.mass;
    report.check(typeof mass === 'number' && mass > 0, `${name}: humanClassData with a mass`, JSON.stringify(metadata.humanClassData));
  }
  const geometry = geometryOf(file);
  if (!report.check(geometry !== undefined, `${name}: geometry with the same base name`)) continue;
  report.check(metadata.triangleCount === geometry.triangles, `${name}: triangleCount`, `found ${metadata.triangleCount}, expected ${geometry.triangles}`);
  report.check(metadata.meshCount === geometry.meshes, `${name}: meshCount`, `found ${metadata.meshCount}, expected ${geometry.meshes}`);
  report.check(metadata.animated === geometry.animated, `${name}: animated`, `found ${metadata.animated}, expected ${geometry.animated}`);
  const tolerance = 0.002;
  for (const axis of ['x', 'y', 'z']) {
    for (const end of [0, 1]) {
      const found = box[axis]?.[end];
      const expected = geometry.box[axis][end];
      report.check(Math.abs(found - expected) <= tolerance, `${name}: bounding box ${axis}[${end}] is that of the mesh`, `found ${found}, expected ${expected}`);
    }
  }
  report.check(Math.abs(box.z?.[0]) <= tolerance, `${name}: stands on the ground`, `found ${box.z?.[0]}`);
}
report.finish();
