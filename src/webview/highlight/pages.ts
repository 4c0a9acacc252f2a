// Pages, their styles, and texts whose lines say what they are.

import { doubleQuoted, end, singleQuoted, slashComments, words, type Language } from './scan.ts';

export const html: Language = {
  rules: [
    ['comment', `<!--[^]*?(?:-->|${end})|<[!?][^>]{0,200}>`],
    ['keyword', String.raw`</?[\p{L}][\p{L}\w:.-]*|/?>`],
    ['name', String.raw`(?<=\s)[@:#\p{L}][\p{L}\w:@.-]{0,100}(?==)`],
    ['string', `(?<==)(?:"[^"]*"?|'[^']*'?)`],
    ['number', '&[#\\w]{1,32};'],
  ],
};

export const css: Language = {
  rules: [
    slashComments,
    doubleQuoted,
    singleQuoted,
    ['keyword', String.raw`@[\w-]+|!important`],
    ['number', String.raw`#[\da-fA-F]{3,8}(?![\w-])|-?\d*\.?\d+(?:%|[a-z]+)?`],
    ['name', String.raw`--[\w-]+|(?<=(?:^|[{;])[ \t]{0,20})[\w-]+(?=[ \t]{0,4}:)`],
    ['type', String.raw`[.#&][\w-]+`],
    ['word', String.raw`[\p{L}_-][\w-]*`],
  ],
};

export const diff: Language = {
  rules: [
    ['heading', String.raw`^(?:diff|index|---|\+\+\+|\*\*\*) .*`],
    ['keyword', '^@@.*'],
    ['added', String.raw`^[+>].*`],
    ['removed', '^[-<].*'],
  ],
};

export const markdown: Language = {
  rules: [
    ['string', '^[ \\t]{0,3}```[^]*?(?:^[ \\t]{0,3}```|' + end + ')|`[^`\\n]*`?'],
    ['heading', '^#{1,6} .*'],
    ['comment', `<!--[^]*?(?:-->|${end})|^>.*`],
    ['keyword', String.raw`^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])(?= )`],
    ['type', String.raw`\*\*[^*\n]{1,400}\*\*`],
    ['name', String.raw`\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)`],
  ],
  keywords: words(''),
};
