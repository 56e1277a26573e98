// What a written file must show: the joints with their places, as `vesalius inspect --json` found them.
import fs from 'node:fs';

/** FILE.inspect.json beside a model: joints, named as in the file, as { name, place: [x, y, z] } in the humanoid's frame (x left, y up, z forward; metres). */
export function expectedJoints(file) {
  const facts = JSON.parse(fs.readFileSync(`${file}.inspect.json`, 'utf8'));
  return facts.joints.map((joint) => ({ name: joint.source_name || joint.name, place: joint.centre_m }));
}

export function hasExpectedJoints(file) {
  return fs.existsSync(`${file}.inspect.json`);
}

/** Greatest difference of two places along an axis, metres. */
export function distance(a, b) {
  return Math.max(...a.map((value, axis) => Math.abs(value - b[axis])));
}
