// The contract of a turn, with the built-in agents and with a process that speaks ACP. With VS Code’s
// models: test/host/suite/modelContract.test.ts. With real agents: test/contract.

import { theModel } from './models.ts';
import { nodeRunner } from './nodeRunner.ts';
import { theScout } from './scout.ts';
import { theScripted } from './scripted.ts';
import { turnContract } from './turns.ts';

turnContract(theScout, nodeRunner);
turnContract(theModel('openai'), nodeRunner);
turnContract(theModel('anthropic'), nodeRunner);
turnContract(theScripted('the scripted agent', ['--resume']), nodeRunner);
