// Faults that the fuzzer found, each with the shortest moves that showed it when it was there. They are played on every
// commit.

import type { Code } from './invariants.ts';

export interface FoundFault {
  /** What it violated. */
  readonly code: Code;
  /** What happened. */
  readonly what: string;
  readonly seed: number;
  /** As `movesOf` reads it. */
  readonly moves: string;
}

export const found: readonly FoundFault[] = [
  {
    code: 'out-of-sight-taken-for-erased',
    what: 'A look that finds no session says that it was erased, though nothing erased it and it comes back.',
    seed: 1,
    moves: 'open 1; send 1; hide 1; send 1',
  },
  {
    code: 'permission-left-open',
    what: 'A question whose agent never withdraws it outlives the turn, however that ended.',
    seed: 2,
    moves: 'open 1; send 1; ask 1; end 1',
  },
  {
    code: 'late-question-open',
    what: 'The desk of a turn that is over still takes questions; the client of ACP keeps them away, the port does not.',
    seed: 8,
    moves: 'open; send; end; ask 0 474',
  },
  {
    code: 'queued-prompt-lost-beside',
    what: 'All windows write what waits into one field, so the last one that writes takes out what waits in the others.',
    seed: 3,
    moves: 'open; send; send; cancel; open 1; send 1; send 1',
  },
  {
    code: 'queued-prompt-lost',
    what: 'While one queued prompt is on its way, queueing another takes it out of history, and then the window dies.',
    seed: 967,
    moves: 'open; send; send; slow; end; release; send; release; release; release; kill',
  },
  {
    code: 'queued-before-saved-lost',
    what: 'What waits behind a first prompt that never got to history goes with its window, which closed in order.',
    seed: 1292,
    moves: 'open 1; misbehave 1 641 38; send 1; send 1',
  },
  {
    code: 'queued-sent-twice',
    what: 'Two windows that open what a third one left waiting both send it.',
    seed: 43,
    moves: 'open; send; send; leave; open 1; open; branch; send 1',
  },
  {
    code: 'sent-twice-after-stall',
    what: 'A window that is silent for long goes on with its queue, and so does the window that took it for gone.',
    seed: 28,
    moves: 'open 1; stall 1; send 1; send 1; open; sendNow',
  },
  {
    code: 'sent-again-after-crash',
    what: 'A queued prompt is in history before it is out of the stored queue, so a window that dies between has it sent again.',
    seed: 91,
    moves: 'open; send; send; fall; end; acceptUnsaved; sendNow; kill; wait 0 589; open; send',
  },
  {
    code: 'changed-words-lost',
    what: 'Words are changed in one window while another one that has the same queue sends the old ones.',
    seed: 29,
    moves: 'open; branch; send; leave; open; open 1; changeQueued 1 0 982; send',
  },
  {
    code: 'end-not-shown',
    what: 'A window that is not on the branch where another one ended a message never learns of the end.',
    seed: 123,
    moves: 'open 1; send 1; end 1; summarise 1; open',
  },
  {
    code: 'elsewhere-stays',
    what: 'A summary that another window gave up is waited for without end, so nothing can be sent from this one.',
    seed: 123,
    moves: 'open 1; send 1; end 1; summarise 1; open',
  },
  {
    code: 'title-differs',
    what: 'What another window names a session while a turn runs here is not looked up when the turn is over.',
    seed: 140,
    moves: 'open 1; send 1; open; rename 0 138',
  },
  {
    code: 'trash-differs',
    what: 'A session is trashed and restored elsewhere while the first of that is still being followed here.',
    seed: 2210,
    moves: 'open; send; open 1; slow; call; trash 1; release; release; restore 1',
  },
  {
    code: 'turn-left-running',
    what: 'A summary is not over before the agent answers that its session was closed, and some never do.',
    seed: 29,
    moves: 'open; branch; end; summarise; misbehave 0 0 479; end',
  },
  {
    code: 'cancel-hangs',
    what: 'Stopping a summary waits for the agent to answer that its session was closed, and some never do.',
    seed: 756,
    moves: 'open; branch; end; misbehave 0 0 995; summarise',
  },
  {
    code: 'call-hangs',
    what: 'What stops a summary first, as moving it to the trash does, waits for the same answer.',
    seed: 596,
    moves: 'open 1; send 1; end 1; summarise 1; misbehave 1 0 449; trash 1',
  },
  {
    code: 'shown-differs',
    what: 'A tool call that ends is shown again when its end is saved, without the permission that was answered meanwhile.',
    seed: 1602,
    moves: 'open 1; branch 1; call 1 0 151; slow 1; call 1 460 139; ask 1 676 670; end 1',
  },
  {
    code: 'remembers-unheard',
    what: 'An agent that was told of an unfinished message is said to remember it after more of it became known.',
    seed: 237,
    moves: 'open 0 0 305; send; open 1; say; behind 1; leave; wait 0 659; send 1; end 1 0 960; send 1',
  },
  {
    code: 'remembers-another-branch',
    what: 'A window that has not read what another one sent goes on with the agent’s session that was told of it.',
    seed: 1421,
    moves: 'open 0 0 464; send; end 0 0 105; open 1; hide 1; send; leave; send 1',
  },
  {
    code: 'shown-remembers-unheard',
    what: 'While a change of the agent is being saved, what the new one knows is shown as what the old one knows.',
    seed: 877,
    moves: 'open; send; setAgent 0 0 783; slow; prepare; setAgent; release',
  },
  {
    code: 'prompt-without-turn',
    what: 'A command waits behind a seed of its own, its turn is stopped, and when the seed is answered the command goes out.',
    seed: 864,
    moves: 'open 0 0 592; branch; misbehave 0 646 243; end; send 0 665; cancel; wait 0 32; end',
  },
  {
    code: 'timer-after-leave',
    what: 'The next look at what another window writes is not taken back when the window closes.',
    seed: 1,
    moves: 'open; send; open 1; leave 1',
  },
  {
    code: 'queue-stuck',
    what: 'What came from another window while a turn ended took the place of the queue that was to go on.',
    seed: 5864,
    moves: 'open 1; send 1; open; stall 1 382; slow 1; end 1; wait 0 688; send; send 1',
  },
  {
    code: 'queued-prompt-lost-beside',
    what: 'A record that was refused was saved in parts, and the part that took the old words out came first.',
    seed: 6,
    moves:
      'open 1; send 1; send 1; wait 0 639; open; setHead; slow 1; say 1; wait 0 753; branch; changeQueued 1 0 193; release 1; release 1; fall 1 575 688; release 1; release 1; send; release 1; kill 1',
  },
  {
    code: 'changed-words-lost',
    what: 'A prompt that went out unsaved and was refused later left the queue all the same.',
    seed: 2462,
    moves:
      'open 1; send 1; end 1; send 1; open; trash; restore; send; send; leave; fall 1; eraseBranch 0 878; changeQueued 1 0 601; acceptUnsaved 1; open; sendNow 1; send; end; trashBranch',
  },
  {
    code: 'queue-stuck',
    what: 'Two windows changed the words of one prompt, and the next one had two with one id.',
    seed: 9670,
    moves:
      'open; send; send; leave; open 1; fall 1 441; open; changeQueued 0 0 935; changeQueued 1 0 215; leave; leave 1; open; sendNow; changeQueued 0 0 262',
  },
  {
    code: 'end-not-shown',
    what: 'What could not be read once was never looked up again.',
    seed: 507,
    moves: 'open 1 0 874; branch 1; end 1; open; send; fall 1 801; die 0 688; slow 1; setAgent 1',
  },
  {
    code: 'end-not-shown',
    what: 'A branch that was read before an answer was saved was shown without its end.',
    seed: 99,
    moves: 'open; send; fall; end; setHead 0 53; open 1',
  },
  {
    code: 'end-not-shown',
    what: 'What was read for a turn that ran was taken for all there was when it was over.',
    seed: 1904,
    moves: 'open 1; send 1; send 1; stall 1; open; behind; end 1; send; end',
  },
  {
    code: 'shown-differs',
    what: 'A summary that failed put back the path as it was when it began.',
    seed: 5726,
    moves: 'open 1; send 1; call 1; fall 1; end 1; recover 1; summarise 1',
  },
  {
    code: 'shown-differs',
    what: 'A permission that was answered after the end of its call was taken back by that end.',
    seed: 2375,
    moves: 'open; send; call; ask; permit; fall; ask; call 0 796',
  },
  {
    code: 'lost-on-leave',
    what: 'What was read of one’s own answer while it was being saved was shown with a gap.',
    seed: 1791,
    moves:
      'open 1; send 1; send 1; kill 1; wait 0 649; open; open 1; branch; fall 1; slow; cancel; sendNow 1; slow 1; release; acceptUnsaved 1; leave; send 1; release 1; release 1; release 1; release 1; flood 1; open; setHead; release 1; follow 1; cancel 1; release 1; send 1; send 1; cancel 1',
  },
  {
    code: 'elsewhere-stays',
    what: 'A window that shows another branch waited for a writer that was gone.',
    seed: 219,
    moves: 'open; send; kill; open; open 1; setHead 0 533',
  },
  {
    code: 'elsewhere-stays',
    what: 'The record of a prompt was written though its append failed, and nobody ended the answer that it began.',
    seed: 1821,
    moves: 'open 1; fall 1 141; send 1; wait 0 406; open',
  },
  {
    code: 'title-differs',
    what: 'The title in history was taken over the agent’s, which was not saved yet.',
    seed: 1806,
    moves: 'open 1; branch 1; rename 1 341; fall 1; tell 1 494 408; cancel 1; slow 1; rename 1',
  },
  {
    code: 'title-differs',
    what: 'The title was read before the agent gave another one, and shown after it.',
    seed: 682,
    moves: 'open; send; open 1; end; send 1; slow; cancel 1; tell 0 739',
  },
  {
    code: 'shown-remembers-unheard',
    what: 'What was found ahead for one branch was shown for another.',
    seed: 6404,
    moves:
      'open 1 0 397; send 1; end 1; open; send; slow; setHead 1; send 1; release; cancel; release; die 0 949; release; release; release; prepare; trashBranch; releaseAll',
  },
  {
    code: 'remembers-unheard',
    what: 'A live agent session was used though another window had gone on with it in a process of its own.',
    seed: 200,
    moves: 'open 1 0 718; stall 1; send 1; end 1 484; open; send; end 0 478; send 1',
  },
  {
    code: 'timer-after-leave',
    what: 'What may be written was looked up by a window that had closed.',
    seed: 4689,
    moves: 'open 1; send 1; send 1; fall 1 381; end 1; wait 0 669; slow 1; wait 0 347; leave 1; releaseAll 1',
  },
  {
    code: 'title-differs',
    what: 'A person’s title is taken back elsewhere while the agent’s newer one is still being saved here: it is shown.',
    seed: 1806,
    moves: 'open; send; open 1; rename 0 341; setHead 1; slow; fall 1; send 1; rename; tell 1 494 408',
  },
  {
    code: 'elsewhere-stays',
    what: 'The look that was tried again took the timer of the look for another window that says nothing for long.',
    seed: 10509,
    moves: 'open 1; send 1; open; kill 1; open 1; fall 0 21; setAgent 1 0 227',
  },
  {
    code: 'end-not-shown',
    what: 'What may be written was read before its end was saved, and shown without the end from then on.',
    seed: 15591,
    moves: 'open 0 0 287; send; setAgent; fall 0 153; send; tell 0 702; wait 0 19',
  },
  {
    code: 'elsewhere-stays',
    what: 'Where the files were out of sight, a record that was written was taken for one that was not, and never ended.',
    seed: 13963,
    moves:
      'open 1; send 1; send 1; slow 1; send 1; sendNow 1 579; release 1; release 1; release 1; fall 1 373; hide 1; open; releaseAll 1',
  },
  {
    code: 'queued-prompt-lost',
    what: 'A first record was given up and found written later, and what waited behind it was never put into history.',
    seed: 12900,
    moves: 'open; fall 0 135; send; send; wait 0 127',
  },
  {
    code: 'elsewhere-stays',
    what: 'Whoever went to a branch that another window was writing waited for ever once that window was gone.',
    seed: 4219,
    moves:
      'open; send; leave; open; branch; send; end; send; end; end; branch; end; open 1; send; end; summarise 1; send 1; end 1; send 1; send 1; end 1; send 1; kill; send 1; sendNow 1; leave 1; open; branch; end; die; open 1; branch 1; cancel 1; send 1; leave 1; send; end; open 1; setHead 1; send 1; kill; trash 1; setHead 1 523',
  },
  {
    code: 'turn-left-running',
    what: 'A prompt that another window left was asked for while no messages were there, and waited for somebody to read them.',
    seed: 14315,
    moves: 'open 1; send 1; send 1; kill 1; open 1; wait 0 239; releaseMessages 1; follow 1; sendNow 1',
  },
  {
    code: 'end-not-shown',
    what: 'A summary that was stopped came back without its end, because what was read of it was older than the stop.',
    seed: 24299,
    moves:
      'open; send; end; summarise; slow; say; send; release; follow; wait 0 764; sendNow; release; fall; release; release; wait 0 617',
  },
  {
    code: 'elsewhere-stays',
    what: 'Of a session whose first record was written out of sight, nothing was looked up any more, and the record never ended.',
    seed: 13226,
    moves: 'open; hide; fall 0 105; send; recover; wait 0 16; open 1',
  },
  {
    code: 'remembers-another-branch',
    what: 'Two windows go on with one agent session, because the second has not read what the first one wrote.',
    seed: 20974,
    moves: 'open 0 0 565; send; open 1; end 0 0 855; fall 1 723 943; send; send 1; leave; send 1; sendNow 1',
  },
  {
    code: 'elsewhere-stays',
    what: 'A session whose files come back between two questions is said not to have the prompt that is in them.',
    seed: 13226,
    moves: 'open; hide; fall 0 105; send; slow; recover; wait 0 16; release; open 1',
  },
];
