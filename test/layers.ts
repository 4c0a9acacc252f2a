// The layers of the tests: which files, and what they need. test/run.ts runs them in this order; test/repeat.ts takes the
// limits of a file's layer.

/** What has to be ready before the first file: nothing but Node.js, the package, or also a real VS Code. */
export type Needs = 'nothing' | 'package' | 'vscode';

export interface Layer {
  readonly name: string;
  readonly what: string;
  readonly files: readonly string[];
  /** The limit of each test. */
  readonly seconds: number;
  /** How many files run at a time. Tests of a real VS Code mostly wait: two at a time took two thirds as long on two cores. */
  readonly atOnce: number;
  readonly needs: Needs;
  /** It takes too long for `npm test`, and belongs to `npm run test:full` only. */
  readonly isLong?: true;
}

export const layers: readonly Layer[] = [
  {
    name: 'check',
    what: 'types, lint, format, and tests in plain Node.js',
    files: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
    seconds: 120,
    atOnce: 2,
    needs: 'nothing',
  },
  {
    name: 'faults',
    what: 'history against kill -9, full disks and damaged files',
    files: ['test/faults/*.test.ts'],
    seconds: 180,
    atOnce: 2,
    needs: 'nothing',
  },
  {
    name: 'package',
    what: 'the production build and the VSIX',
    files: ['test/package/**/*.test.ts'],
    seconds: 60,
    atOnce: 1,
    needs: 'package',
  },
  {
    name: 'host',
    what: 'inside the extension host of a real VS Code',
    files: ['test/host/*.test.ts'],
    seconds: 240,
    atOnce: 1,
    needs: 'vscode',
  },
  {
    name: 'e2e',
    what: 'the packaged extension in a real VS Code, by clicks and keys',
    files: ['test/e2e/**/*.test.ts'],
    seconds: 240,
    atOnce: 2,
    needs: 'vscode',
  },
  {
    name: 'harness',
    what: 'the harness itself: nothing survives a killed run',
    files: ['test/harness/**/*.test.ts'],
    seconds: 240,
    atOnce: 1,
    needs: 'vscode',
    isLong: true,
  },
  {
    name: 'full',
    what: 'what takes too long for every commit',
    files: ['test/full/**/*.test.ts'],
    seconds: 300,
    atOnce: 1,
    needs: 'vscode',
    isLong: true,
  },
];
