// What the panel and what finds in it both need, to be handed over: the file that finds is loaded later, and shares no module
// with the panel, so that nothing of the panel moves into a file of its own.

import { plain, textOf } from '../../model/message.ts';
import { cleanLine, cleanText } from './cleanText.ts';
import type { WordTools } from '../find/shownWords.ts';
import { cutPieces } from '../markdown/pieces.ts';
import { terminalIn } from '../tools/terminals.ts';
import { terminalText } from '../tools/terminalText.ts';
import { thingWords } from './things.ts';
import { shownInput, shownOutput } from '../tools/toolOutput.ts';
import { toolWords } from '../words.ts';

export const wordTools: Omit<WordTools, 'lexer'> = {
  plain,
  textOf,
  cleanText,
  cleanLine,
  cutPieces,
  shownInput,
  shownOutput,
  terminalIn,
  terminalText,
  thingWords,
  toolWords,
};
