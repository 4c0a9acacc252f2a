// How text from outside becomes harmless before VS Code shows it: each step of `cleanLine` and `exactLine`, and their order.

import type { Row } from './row.ts';

const outside = 'src/host/notify/outsideText.ts';
const outsideText = 'test/unit/host/outsideText.test.ts';

/** As the source has it. */
const hiddenClass = '[\\\\p{Cc}\\\\p{Cf}\\\\p{Cs}\\\\p{Default_Ignorable_Code_Point}\\\\u2800]';

export const cleaning: readonly Row[] = [
  {
    defence: 'Text from outside makes no link in what VS Code shows',
    attacks: [26],
    file: outside,
    text: ".replaceAll('](', `]${joiner}(`)",
    replacement: '',
    tests: [outsideText],
  },
  {
    defence: 'Text from outside makes no icon in what VS Code shows',
    attacks: [26],
    file: outside,
    text: ".replaceAll('$(', `$${joiner}(`)",
    replacement: '',
    tests: [outsideText],
  },
  {
    defence: 'A link is broken after what is hidden between its brackets is gone, and not before',
    attacks: [26],
    file: outside,
    text: "return finish(plain.replaceAll(/\\s+/g, ' ').replace(visibleOrHidden, '$1').replaceAll(/ {2,}/g, ' '), most);",
    replacement:
      "return finish(plain, most).replaceAll(/\\s+/g, ' ').replace(visibleOrHidden, '$1').replaceAll(/ {2,}/g, ' ');",
    tests: [outsideText],
  },
  {
    defence: 'Terminal sequences are removed whole from what is only read',
    attacks: [26],
    file: outside,
    text: 'const plain = stripVTControlCharacters(cutMiddle(text, mostRead));',
    replacement: 'const plain = cutMiddle(text, mostRead);',
    tests: [outsideText],
  },
  {
    defence: 'Terminal sequences are removed before the character that they begin with',
    attacks: [26],
    file: outside,
    text: `const plain = stripVTControlCharacters(cutMiddle(text, mostRead));
  return finish(plain.replaceAll(/\\s+/g, ' ').replace(visibleOrHidden, '$1').replaceAll(/ {2,}/g, ' '), most);`,
    replacement: `const plain = cutMiddle(text, mostRead).replaceAll(/\\s+/g, ' ').replace(visibleOrHidden, '$1');
  return finish(stripVTControlCharacters(plain).replaceAll(/ {2,}/g, ' '), most);`,
    tests: [outsideText],
  },
  {
    defence: 'Of a very long text only the ends are looked through where it is only read',
    attacks: [14, 26],
    file: outside,
    text: 'stripVTControlCharacters(cutMiddle(text, mostRead))',
    replacement: 'stripVTControlCharacters(text)',
    tests: [outsideText],
  },
  {
    defence: 'Of a very long text only the ends are looked through where it is decided about',
    attacks: [14, 26],
    file: outside,
    text: 'return finish(spelled(cutMiddle(text, mostRead)), most);',
    replacement: 'return finish(spelled(text), most);',
    tests: [outsideText],
  },
  {
    defence: 'A line break in what is only read is a space',
    attacks: [26],
    file: outside,
    text: "plain.replaceAll(/\\s+/g, ' ')",
    replacement: 'plain',
    tests: [outsideText],
  },
  {
    defence: 'What is hidden in what is only read is removed',
    attacks: [26],
    file: outside,
    text: ".replace(visibleOrHidden, '$1')",
    replacement: '',
    tests: [outsideText],
  },
  {
    defence: 'Spaces around what was hidden leave no gap in what is only read',
    attacks: [26],
    file: outside,
    text: "'$1').replaceAll(/ {2,}/g, ' ')",
    replacement: "'$1')",
    tests: [outsideText],
  },
  {
    defence: 'A line break in what is decided about is shown',
    attacks: [26],
    file: outside,
    text: "    .replaceAll(/\\r\\n|[\\n\\r\\u2028\\u2029]/g, ' ⏎ ')\n",
    replacement: "    .replaceAll(/\\s/g, ' ')\n",
    tests: [outsideText],
  },
  {
    defence: 'Wide spaces don’t push a part of what is decided about out of sight',
    attacks: [26],
    file: outside,
    text: "    .replaceAll(/[\\t\\p{Zs}]/gu, ' ')\n",
    replacement: '',
    tests: [outsideText],
  },
  {
    defence: 'What is hidden in what is decided about is shown by its number',
    attacks: [26],
    file: outside,
    text: '    .replace(visibleOrHidden, (one, isVisible?: string) => isVisible ?? numbered(one))\n',
    replacement: "    .replace(visibleOrHidden, '$1')\n",
    tests: [outsideText],
  },
  {
    defence: 'Spaces don’t push a part of what is decided about out of sight',
    attacks: [26],
    file: outside,
    text: '    .replaceAll(/ {5,}/g, spaces => ` ⟦${spaces.length} spaces⟧ `);',
    replacement: ';',
    tests: [outsideText],
  },
  ...(
    [
      ['controls', '\\\\p{Cc}'],
      ['directions and marks without a width', '\\\\p{Cf}'],
      ['halves of characters', '\\\\p{Cs}'],
      ['fillers, which are letters and draw nothing', '\\\\p{Default_Ignorable_Code_Point}'],
      ['the blank of Braille', '\\\\u2800'],
    ] as const
  ).map(([what, part]): Row => ({
    defence: `Among what is hidden are ${what}`,
    attacks: [26],
    file: outside,
    text: `const hidden = '${hiddenClass}';`,
    replacement: `const hidden = '${hiddenClass.replace(part, '')}';`,
    tests: [outsideText],
  })),
  ...(
    [
      ['Flags of countries', "  '\\\\u{1f3f4}[\\\\u{e0020}-\\\\u{e007e}]{2,6}\\\\u{e007f}',\n"],
      [
        'Pictures of several characters',
        "  '\\\\p{Extended_Pictographic}\\\\p{Emoji_Modifier}?[\\\\ufe0e\\\\ufe0f]?(?:\\\\u200d(?=\\\\p{Extended_Pictographic}))?',\n",
      ],
      ['Keys in pictures', "  '[#*0-9]\\\\ufe0f\\\\u20e3',\n"],
      ['Joiners that are spelling', '  `(?<=[${joining}])[\\\\u200c\\\\u200d](?=[${joining}])`,\n'],
    ] as const
  ).map(([what, text]): Row => ({
    defence: `${what} stay as they are in what VS Code shows`,
    attacks: [],
    file: outside,
    text,
    replacement: '',
    tests: [outsideText],
  })),
  {
    defence: 'A long text leaves our own words at its end in sight',
    attacks: [26],
    file: outside,
    text: 'const tail = Math.floor(most / 3);',
    replacement: 'const tail = 1;',
    tests: [outsideText],
  },
  {
    defence: 'A text that is shown is no longer than it may be',
    attacks: [14, 26],
    file: outside,
    text: 'return cutMiddle(line.trim(), most)',
    replacement: 'return line.trim()',
    tests: [outsideText],
  },
  {
    defence: 'Where a text is cut no half of a character is left',
    attacks: [26],
    file: outside,
    text: ".replaceAll(/\\p{Cs}/gu, '')",
    replacement: '',
    tests: [outsideText],
  },
  {
    defence: 'A text from outside begins and ends where its words do',
    attacks: [26],
    file: outside,
    text: 'cutMiddle(line.trim(), most)',
    replacement: 'cutMiddle(line, most)',
    tests: [outsideText],
  },
  {
    defence: 'The name of a document leads to no folder',
    attacks: [26],
    file: outside,
    text: "cleanLine(text.replaceAll(/[\\\\/:*?\"<>|]+/g, ' '), limits.name)",
    replacement: 'cleanLine(text, limits.name)',
    tests: [outsideText],
  },
  {
    defence: 'The name of a document is cleaned, and short',
    attacks: [26],
    file: outside,
    text: "return cleanLine(text.replaceAll(/[\\\\/:*?\"<>|]+/g, ' '), limits.name) || otherwise;",
    replacement: "return text.replaceAll(/[\\\\/:*?\"<>|]+/g, ' ').trim() || otherwise;",
    tests: [outsideText],
  },
  {
    defence: 'A document whose name is empty once it is clean has another name',
    attacks: [26],
    file: outside,
    text: ' || otherwise;',
    replacement: ' + otherwise.slice(0, 0);',
    tests: [outsideText],
  },
];
