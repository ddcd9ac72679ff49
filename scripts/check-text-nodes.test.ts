import { expect, test } from 'vitest';
import { unstableTextNodes } from './check-text-nodes.ts';

test.for([
  ['an optional element before text', '<p>{isBusy && <Spinner />}Send</p>'],
  ['an optional element before a value that may be text', '<p>{isBusy && <Spinner />}{children}</p>'],
  ['optional text with a sibling', '<p>Sent{by && `, by them`}</p>'],
  ['text or an element with a sibling', "<p><b>a</b>{href ? <a href={href}>x</a> : 'x'}</p>"],
  ['a list before text', '<p>{items.map((item) => <b key={item}>{item}</b>)} in total</p>'],
  ['an optional value in a fragment', '<>{isShown && name} <b>x</b></>'],
])('%s is reported', ([, jsx]) => {
  expect(unstableTextNodes('app/a.tsx', `export const a = ${jsx};`)).toEqual([
    'app/a.tsx:1: wrap text next to conditional content in its own element',
  ]);
});

test.for([
  ['optional text as the only child', "<p>{isBusy && 'Sending'}</p>"],
  ['text in its own element', '<p>{isBusy && <Spinner />}<span>{children}</span></p>'],
  ['text that is always shown', "<p>{isBusy ? 'Sending' : 'Send'} now</p>"],
  ['an optional element after text', '<p>Send{isBusy && <Spinner />}</p>'],
  ['optional elements beside elements', '<p>{isBusy && <Spinner />}{items?.map(row)}<b>x</b></p>'],
  ['an optional portal', '<p>{body && createPortal(<b />, body)}<i /></p>'],
])('%s is accepted', ([, jsx]) => {
  expect(unstableTextNodes('app/a.tsx', `export const a = ${jsx};`)).toEqual([]);
});
