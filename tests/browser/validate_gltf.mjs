// validate_gltf.mjs FILE...: the Khronos validator finds no error in them, and no warning but the one that the standard's tree makes.
import fs from 'node:fs';
import path from 'node:path';

import validator from 'gltf-validator';

import { Report } from './report.mjs';

const allowed = 'NODE_SKINNED_MESH_NON_ROOT';

/** The JSON of a .gltf or .glb file. */
function jsonOf(file) {
  const bytes = fs.readFileSync(file);
  if (bytes.toString('latin1', 0, 4) !== 'glTF') return JSON.parse(bytes.toString('utf8'));
  return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

const report = new Report('Khronos validator');
for (const file of process.argv.slice(2)) {
  const folder = path.dirname(path.resolve(file));
  const found = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(fs.readFileSync(path.join(folder, decodeURIComponent(uri)))),
  });
  const messages = found.issues.messages;
  const told = (list) => list.slice(0, 5).map((m) => `${m.code} at ${m.pointer ?? m.offset}: ${m.message}`).join('; ');
  const errors = messages.filter((m) => m.severity === 0);
  const others = messages.filter((m) => m.severity === 1 && m.code !== allowed);
  const skinned = jsonOf(file).nodes.filter((node) => node.skin !== undefined && node.mesh !== undefined).length;
  const nonRoot = messages.filter((m) => m.code === allowed).length;
  const name = path.basename(file);
  report.check(errors.length === 0, `${name}: no error`, told(errors));
  report.check(others.length === 0, `${name}: no other warning`, told(others));
  report.check(nonRoot === skinned, `${name}: ${allowed} once per skinned part`, `found ${nonRoot}, expected ${skinned}`);
  report.check(skinned > 0, `${name}: has a skinned part`);
  report.note(`${name}: ${skinned} skinned parts, ${found.info.totalVertexCount} vertices, ${found.info.totalTriangleCount} triangles, ${messages.length - errors.length - others.length - nonRoot} remarks`);
}
report.finish();
