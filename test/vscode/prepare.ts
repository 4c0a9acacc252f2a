// Makes this machine ready for a real VS Code before the first test needs one: the server and the browser. So what is
// fetched is said where a person sees it, and does not count as the time of a test. Fast where all is there already.

import './leashed.ts';
import { findChromium } from './chromium.ts';
import { vscodeServer } from './fetch.ts';

try {
  await vscodeServer();
  await findChromium();
} catch (error) {
  console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
