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

/** What is wrong with the sides and the upright of a figure; `places` maps names to [x, y, z] with x to its left and y up. */
export function anatomyFaults(places, { leftHip, rightHip, head }) {
  const [left, right, top] = [leftHip, rightHip, head].map((name) => places.get(name));
  if (!left || !right || !top) return [`${leftHip}, ${rightHip} or ${head} is missing`];
  const faults = [];
  if (left[0] <= right[0]) faults.push(`the left hip is at ${left[0]}, the right one at ${right[0]}`);
  if (top[1] <= left[1]) faults.push(`the head is at ${top[1]}, the hip at ${left[1]}`);
  return faults;
}
