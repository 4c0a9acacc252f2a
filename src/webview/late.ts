// What is not part of what is seen first: a file of its own, which is loaded as soon as the panel stands. One file and not
// several, so that what it shares with the first one is in one place too.

export { takeDropped, takePasted, canBeDropped } from './composing/intake.ts';
export { Chips } from './composing/chips.tsx';
export { ChoiceList } from './composing/choiceList.tsx';
export { ContextMeter } from './composing/contextMeter.tsx';
export { Queue } from './composing/queue.tsx';
export { createCompleter } from './composing/completer.ts';
export { EditPrompt } from './branching/editPrompt.tsx';
export { FreshSheet } from './transcript/freshSheet.ts';
export { GoOn } from './transcript/goOn.tsx';
export { Refused } from './asking/refused.tsx';
export { PermissionNeeded } from './asking/permission.tsx';
export { Question } from './asking/elicitation.tsx';
export { FindBar } from './find/findBar.tsx';
export { PlaceBanners } from './placeBanners.tsx';
export { SignIn } from './asking/signIn.tsx';
export { Took } from './transcript/took.tsx';
export { Terminal } from './tools/terminal.tsx';
export { MoreText } from './transcript/moreText.tsx';
export { ShowAll } from './tools/showAll.tsx';
export { Changes } from './changes/changes.tsx';
