// Words of a person or an agent. Promises: what is not markdown is shown as it was typed; nothing that controls a
// terminal or turns text around comes through; the files that an answer names can be opened once it is whole.

import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { plain, type MessageId, type TextBlock as Text } from '../../model/message.ts';
import { cleanGrown, type Cleaned } from './cleanText.ts';
import { FileNames, Markdown } from '../markdown/markdown.tsx';
import { OpenFile } from '../markdown/render.ts';
import { memo } from './memo.ts';
import { usePanel } from '../panel.ts';

export interface TextBlockProps {
  readonly of: MessageId;
  readonly at: number;
  readonly block: Text;
  /** It grows. */
  readonly running: boolean;
  /** Its message does. */
  readonly unfinished: boolean;
}

export const TextBlock = memo(({ of, at, block, running, unfinished }: TextBlockProps) => {
  const { store, post, namedFiles } = usePanel();
  const before = useRef<Cleaned>({ text: '', shown: '' });
  const text = useMemo(() => (before.current = cleanGrown(block.text, before.current)).shown, [block.text]);
  const named = useMemo(() => namedFiles.show(of, at), [of, at]);
  useLayoutEffect(() => named.end, [named]);
  const files = named.files.value;
  const names = useMemo(() => files?.map(({ words }) => words) ?? [], [files]);
  const session = store.part('session');
  useEffect(() => {
    if (unfinished || block.mime === plain || !/\w[./]\w/.test(block.text)) return undefined;
    const idle = requestIdleCallback(() => named.ask(session.peek() ?? ''), { timeout: 2000 });
    return () => cancelIdleCallback(idle);
  }, [unfinished, named]);
  const open = (words: string) => {
    const file = files?.find(one => one.words === words);
    if (file) post({ type: 'openNamed', session: session.peek() ?? '', message: of, block: at, at: file.at });
  };
  if (block.mime === plain) return <div class="block words plain">{text}</div>;
  return (
    <div class={running ? 'block words running' : 'block words'}>
      <FileNames.Provider value={names}>
        <OpenFile.Provider value={open}>
          <Markdown text={text} running={running} />
        </OpenFile.Provider>
      </FileNames.Provider>
    </div>
  );
});
