// Counts what was checked and what was wrong; the process ends with status 1 when anything was.

export class Report {
  constructor(title) {
    this.title = title;
    this.checks = 0;
    this.failures = [];
  }

  /** Notes one check; `detail` says what was found and what was expected. */
  check(holds, what, detail = '') {
    this.checks += 1;
    if (!holds) this.failures.push(detail ? `${what}: ${detail}` : what);
    return holds;
  }

  note(text) {
    console.log(text);
  }

  finish() {
    for (const failure of this.failures) console.log(`FAILED ${failure}`);
    console.log(`${this.title}: ${this.checks} checks, ${this.failures.length} failed`);
    process.exitCode = this.failures.length > 0 || this.checks === 0 ? 1 : 0;
  }
}
