// An answer that takes one update after the other, for tests that look at what each gives.

import {
  applyUpdate,
  beginAnswer,
  checkpoint,
  closeAnswer,
  recordPermission,
  setChanges,
  type AnswerState,
  type Growth,
} from '../../../src/core/conversation/answer.ts';

type Rest<Change> = Change extends (answer: AnswerState, ...rest: infer Others) => Growth ? Others : never;

export class GrowingAnswer {
  private state: AnswerState;

  constructor(session: string, message: string) {
    this.state = beginAnswer(session, message);
  }

  apply(...rest: Rest<typeof applyUpdate>): Growth {
    return this.take(applyUpdate(this.state, ...rest));
  }

  answered(...rest: Rest<typeof recordPermission>): Growth {
    return this.take(recordPermission(this.state, ...rest));
  }

  changed(...rest: Rest<typeof setChanges>): Growth {
    return this.take(setChanges(this.state, ...rest));
  }

  checkpoint(): Growth['facts'] {
    return this.take(checkpoint(this.state)).facts;
  }

  close(...rest: Rest<typeof closeAnswer>): Growth {
    return this.take(closeAnswer(this.state, ...rest));
  }

  private take(growth: Growth): Growth {
    this.state = growth.answer;
    return growth;
  }
}
