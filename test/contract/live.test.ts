// The contracts of test/unit/contract with real agents: `LIVE=1 node --test test/contract/live.test.ts`. They are
// installed from the npm registry when they are not there yet; how it works is in test/README.md. `LIVE=opencode` runs
// only that one. Without LIVE there is nothing here to run.

import { continuityContract } from '../unit/contract/continuity.ts';
import { nodeRunner } from '../unit/contract/nodeRunner.ts';
import { turnContract } from '../unit/contract/turns.ts';
import { installClaude, installOpencode } from './install.ts';
import { claude, loading, opencode } from './real.ts';

const wanted = process.env['LIVE'] ?? '';
const agents = { opencode: () => opencode(once(installOpencode)), claude: () => claude(once(installClaude)) };

for (const [name, make] of Object.entries(agents)) {
  if (wanted !== '1' && wanted !== name) continue;
  const contender = make();
  turnContract(contender, nodeRunner);
  continuityContract(contender);
  continuityContract(loading(contender));
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
