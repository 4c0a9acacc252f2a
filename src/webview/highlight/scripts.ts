// The languages whose comments begin with a hash or with two dashes: scripts, queries and settings.

import { doubleQuoted, end, hashComment, number, singleQuoted, word, words, type Language, type Rule } from './scan.ts';

const overLines: Rule = ['string', String.raw`"(?:[^"\\]|\\[^])*"?`];
const tripleQuoted: Rule = ['string', `[a-zA-Z]{0,2}(?:"""[^]*?(?:"""|${end})|'''[^]*?(?:'''|${end}))`];

export const python: Language = {
  rules: [
    hashComment,
    tripleQuoted,
    ['string', String.raw`[rbfuRBFU]{1,2}(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?)`],
    doubleQuoted,
    singleQuoted,
    ['name', String.raw`(?<=^[ \t]{0,40})@[\w.]+`],
    number,
    word,
  ],
  keywords: words(
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
  types: words('bool bytes complex dict float frozenset int list object set str tuple type'),
  capitals: true,
};

export const ruby: Language = {
  rules: [hashComment, doubleQuoted, singleQuoted, ['name', String.raw`@{1,2}\w+|(?<=[\s(,]):\w+`], number, word],
  keywords: words(
    'BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or private protected public raise redo require require_relative rescue retry return self super then true undef unless until when while yield',
  ),
  capitals: true,
};

export const shell: Language = {
  rules: [
    hashComment,
    overLines,
    ['string', `'[^']*'?`],
    ['name', String.raw`\$(?:\w+|\{[^}\n]{0,100}\}|[@#?*!$])|\w{1,80}(?==)`],
    ['word', String.raw`\w[\w.-]*`],
  ],
  keywords: words(
    'alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local printf read readonly return select set shift source sudo test then trap unset until while',
  ),
};

export const sql: Language = {
  rules: [
    ['comment', `--.*|/\\*[^]*?(?:\\*/|${end})`],
    ['string', `'(?:[^']|'')*'?`],
    ['name', '"[^"\\n]*"?|`[^`\\n]*`?'],
    number,
    word,
  ],
  keywords: words(
    'add all alter and any as asc begin between by case cascade check collate column commit constraint create cross current_date current_timestamp database default delete desc distinct drop else end except exists explain false fetch for foreign from full function grant group having if ilike in index inner insert intersect into is join key left like limit materialized natural not null nulls offset on or order outer over partition pragma primary procedure recursive references replace returning revoke right rollback select set table temporary then to transaction trigger true truncate union unique update using values view when where window with',
  ),
  types: words(
    'bigint blob bool boolean bytea char character date datetime decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar',
  ),
  caseless: true,
};

export const yaml: Language = {
  rules: [
    hashComment,
    ['name', String.raw`[\p{L}_][\p{L}\w./-]*(?=:(?:\s|${end}))`],
    doubleQuoted,
    ['string', `'[^'\\n]*'?`],
    ['type', String.raw`(?<=[\s[,])[&*!][\w!-]+`],
    number,
    ['word', String.raw`[\p{L}_][\p{L}\w./-]*`],
  ],
  keywords: words('true false null yes no on off True False'),
};

export const toml: Language = {
  rules: [
    ['comment', String.raw`(?<=^|\s)[#;].*`],
    tripleQuoted,
    ['heading', String.raw`(?<=^[ \t]{0,20})\[[^\]\n]{0,200}\]{1,2}`],
    ['name', String.raw`(?<=^[ \t]{0,20})[\w."-]{1,200}(?=[ \t]{0,20}=)`],
    doubleQuoted,
    singleQuoted,
    number,
    word,
  ],
  keywords: words('true false'),
};
