// The contract of continuity, with the built-in agents and with agents that go on with their sessions in different ways.
// How the line is worded, and every reason for it: test/unit/conversation/continuity.test.ts.

import { continuityContract } from './continuity.ts';
import { theModel } from './models.ts';
import { theScout } from './scout.ts';
import { theScripted } from './scripted.ts';

continuityContract(theScout);
continuityContract(theModel('openai'));
continuityContract(theModel('anthropic'));
continuityContract(theScripted('an agent that resumes', ['--resume'], { playsBack: true }));
continuityContract(
  theScripted('an agent that resumes and forks', ['--resume', '--fork', '--close'], { playsBack: true }),
);
continuityContract(theScripted('an agent that loads', ['--replay=ids'], { playsBack: true }));
continuityContract(theScripted('an agent that resumes and does not load', ['--resume', '--no-load']));
continuityContract(
  theScripted('an agent that has no word for what is gone', ['--gone=-32603', '--list', '--replay=ids'], {
    playsBack: true,
  }),
);
continuityContract(theScripted('an agent that can do neither', ['--no-load']));
