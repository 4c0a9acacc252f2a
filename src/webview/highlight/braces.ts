// The languages of the family of C: comments with slashes, blocks in braces.

import {
  doubleQuoted,
  end,
  number,
  singleQuoted,
  slashComments,
  word,
  words,
  type Language,
  type Rule,
} from './scan.ts';

const char: Rule = ['string', String.raw`'(?:[^'\\\n]|\\[^\n]{1,10}?)'`];
const backQuoted: Rule = ['string', '`(?:[^`\\\\]|\\\\[^])*`?'];
const decorator: Rule = ['name', String.raw`@[\p{L}_][\w.]*`];
const preprocessor: Rule = ['keyword', String.raw`(?<=^[ \t]{0,12})#[ \t]{0,12}\w+`];
/** Only where a value may begin, or every division would open one. */
const regularExpression: Rule = [
  'string',
  String.raw`(?<=(?:^|[\n(,=:[!&|?{};]|\breturn)[ \t]{0,12})/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,200}/[a-z]{0,8}`,
];

const scriptWords =
  'abstract as asserts async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined unique using var void while with yield';

export const script: Language = {
  rules: [slashComments, regularExpression, backQuoted, doubleQuoted, singleQuoted, decorator, number, word],
  keywords: words(scriptWords),
  types: words('any bigint boolean never number object string symbol unknown'),
  capitals: true,
};

export const json: Language = {
  rules: [slashComments, ['name', String.raw`"(?:[^"\\\n]|\\.)*"(?=[ \t]{0,8}:)`], doubleQuoted, number, word],
  keywords: words('true false null'),
};

export const go: Language = {
  rules: [slashComments, ['string', '`[^`]*`?'], doubleQuoted, char, number, word],
  keywords: words(
    'break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var',
  ),
  types: words(
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
  ),
};

export const rust: Language = {
  rules: [
    slashComments,
    ['string', `b?r"[^"]*"?|b?r#"[^]*?(?:"#|${end})|b?r##"[^]*?(?:"##|${end})`],
    // Its strings go over lines.
    ['string', String.raw`"(?:[^"\\]|\\[^])*"?`],
    char,
    ['name', String.raw`'\w+|#!?\[[^\]\n]{0,200}\]`],
    number,
    ['function', String.raw`[a-z_]\w{0,80}!(?=[([{])`],
    word,
  ],
  keywords: words(
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop macro match mod move mut pub ref return self static struct super trait true type union unsafe use where while',
  ),
  types: words('bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self'),
  capitals: true,
};

export const java: Language = {
  rules: [slashComments, ['string', `"""[^]*?(?:"""|${end})`], doubleQuoted, char, decorator, number, word],
  keywords: words(
    'abstract as assert break by case catch class companion const continue data default do else enum extends false final finally for fun goto if implements import in init inner instanceof interface internal is lateinit native new non-sealed null object open operator out override package permits private protected public record return sealed static super suspend switch synchronized this throw throws transient true try typealias val var vararg volatile when where while yield',
  ),
  types: words('boolean byte char double float int long short void'),
  capitals: true,
};

export const c: Language = {
  rules: [slashComments, preprocessor, ['string', `R"\\([^]*?(?:\\)"|${end})`], doubleQuoted, char, number, word],
  keywords: words(
    'alignas alignof asm auto break case catch class co_await co_return co_yield concept const constexpr const_cast continue decltype default delete do dynamic_cast else enum explicit export extern false final for friend goto if inline mutable namespace new noexcept nullptr operator override private protected public register reinterpret_cast requires restrict return sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union using virtual volatile while NULL',
  ),
  types: words(
    'bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t long ptrdiff_t short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t unsigned void wchar_t',
  ),
  capitals: true,
};

export const csharp: Language = {
  rules: [
    slashComments,
    preprocessor,
    ['string', `"""[^]*?(?:"""|${end})|\\$?@"(?:[^"]|"")*"?`],
    doubleQuoted,
    char,
    number,
    word,
  ],
  keywords: words(
    'abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern false finally fixed for foreach get goto if implicit in init interface internal is lock nameof namespace new null operator out override params partial private protected public readonly record ref required return sealed set sizeof stackalloc static struct switch this throw true try typeof unchecked unsafe using var virtual volatile when where while with yield',
  ),
  types: words(
    'bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void',
  ),
  capitals: true,
};

export const swift: Language = {
  rules: [slashComments, ['string', `"""[^]*?(?:"""|${end})`], doubleQuoted, decorator, number, word],
  keywords: words(
    'actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nil nonisolated open operator override private protocol public repeat required rethrows return self set some static struct subscript super switch throw throws true try typealias unowned var weak where while',
  ),
  capitals: true,
};

export const php: Language = {
  rules: [
    slashComments,
    ['comment', '(?<=^|\\s)#(?!\\[).*'],
    doubleQuoted,
    singleQuoted,
    ['name', '\\$\\w+'],
    number,
    word,
  ],
  keywords: words(
    'abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends false final finally fn for foreach function global if implements include instanceof interface isset match namespace new null or print private protected public readonly require require_once return static switch throw trait true try unset use var while yield',
  ),
  types: words('bool callable float int iterable mixed never object self string void'),
  capitals: true,
};
