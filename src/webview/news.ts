// What a screen reader is told of a conversation, from one drawing of the panel to the next. Promises: a turn that began or
// ended between two drawings is told as well; streaming text never goes through here.

import type { Transcript } from '../model/transcript.ts';
import { heldWords, permissionNews, questionNews } from './asking/questions.ts';
import { countOf, turnNews } from './words.ts';

export interface News {
  /** The conversation after each event. */
  readonly hear: (transcript: Transcript) => void;
  /** The conversation as it is drawn now. Gives what is new, in sentences; empty where nothing is. */
  readonly draw: (transcript: Transcript) => string;
}

export function createNews(): News {
  let heard: Transcript | undefined;
  let drawn: Transcript | undefined;
  let ofTurn: string | undefined;
  return {
    hear(now) {
      // Where a session is shown anew, how its turn stands is no news.
      const isSame = heard?.session === now.session;
      const told = heard && isSame ? turnNews(heard.turn, now) : undefined;
      ofTurn = isSame ? (told ?? ofTurn) : undefined;
      heard = now;
    },
    draw(now) {
      const before = drawn?.session === now.session ? drawn : undefined;
      const words = [ofTurn, ...othersIn(before, now)].filter(one => one !== undefined).join('. ');
      ofTurn = undefined;
      drawn = now;
      return words;
    },
  };
}

/** Where a session is shown anew, what waits for the person is news. */
function othersIn(before: Transcript | undefined, now: Transcript): readonly (string | undefined)[] {
  return [
    permissionNews(before?.permissions ?? [], now.permissions),
    questionNews(before?.elicitations ?? [], now.elicitations, now.agent.name),
    now.unsaved && now.unsaved.words !== before?.unsaved?.words ? `Not saved. ${now.unsaved.words}` : undefined,
    ...(now.warnings ?? []).filter(words => !before?.warnings?.includes(words)),
    now.held && now.held !== before?.held ? heldWords(now.held, now.agent.name, countOf(now)) : undefined,
  ];
}
