// What the library says of a figure in 20 poses (FILE.poses.json, written by pose_figures), and how far a viewer's figure is from it.
import fs from 'node:fs';
import path from 'node:path';

import { distance } from './expected.mjs';

export function expectedPoses(file) {
  return JSON.parse(fs.readFileSync(`${file}.poses.json`, 'utf8'));
}

/** Compares `seen` ({ poses: [{ joints: { name: place }, vertices: [place] }] }, canonical frame) with what is expected; notes the figures. */
export function comparePoses(report, file, expected, seen, boundM) {
  const name = path.basename(file);
  let joints = 0;
  let vertices = 0;
  let travelled = 0;
  let compared = 0;
  const missing = new Set();
  expected.poses.forEach((pose, k) => {
    pose.joints.forEach((place, j) => {
      const found = seen.poses[k].joints[expected.names[j]];
      if (!found) {
        missing.add(expected.names[j]);
        return;
      }
      compared += 1;
      joints = Math.max(joints, distance(found, place));
    });
    pose.vertices.forEach((place, v) => {
      vertices = Math.max(vertices, distance(seen.poses[k].vertices[v], place));
      travelled = Math.max(travelled, distance(expected.rest[v], place));
    });
  });
  report.check(missing.size === 0, `${name}: every joint is there`, [...missing].join(', '));
  report.check(expected.rest.length === 100, `${name}: 100 vertices chosen`, `found ${expected.rest.length}`);
  report.check(expected.poses.length === 20 && compared >= 20, `${name}: 20 poses compared`);
  report.check(joints < boundM, `${name}: joints where the library has them`, `off by ${joints} m`);
  report.check(vertices < boundM, `${name}: skinned vertices where the library has them`, `off by ${vertices} m`);
  report.check(travelled > 0.01, `${name}: the vertices move`, `at most ${travelled} m`);
  report.check(seen.unmatched < 1e-4, `${name}: vertices found by their rest places`, `nearest is ${seen.unmatched} m away`);
  report.note(`${name}: ${expected.names.length} joints within ${joints.toExponential(1)} m, ${expected.rest.length} vertices within ` +
    `${vertices.toExponential(1)} m, in ${expected.poses.length} poses`);
}
