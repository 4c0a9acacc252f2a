// The contract of a turn, with the built-in agents and with a process that speaks ACP. With real agents: test/contract.

import { theModel } from './models.ts';
import { theScout } from './scout.ts';
import { theScripted } from './scripted.ts';
import { turnContract } from './turns.ts';

turnContract(theScout);
turnContract(theModel('openai'));
turnContract(theModel('anthropic'));
turnContract(theScripted('the scripted agent', ['--resume']));
