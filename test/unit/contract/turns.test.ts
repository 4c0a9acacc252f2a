// The contract of a turn, with the built-in agent and with a process that speaks ACP. With real agents: test/contract.

import { theScout } from './scout.ts';
import { theScripted } from './scripted.ts';
import { turnContract } from './turns.ts';

turnContract(theScout);
turnContract(theScripted('the scripted agent', ['--resume']));
