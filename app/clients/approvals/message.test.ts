import { expect, test } from 'vitest';
import { formatMessage, parseMessage } from './message.ts';

test.each([
  ['Subject: Heat for {{company}}\n\nHei,\n\nKari', { subject: 'Heat for {{company}}', body: 'Hei,\n\nKari' }],
  ['emne:  Short \r\nHei', { subject: 'Short', body: 'Hei' }],
  ['Hei\nSubject: no', { subject: '', body: 'Hei\nSubject: no' }],
  ['Subject: only a line', { subject: '', body: 'Subject: only a line' }],
  ['Subject:\nHei', { subject: '', body: 'Subject:\nHei' }],
])('Reads %j as subject and body', (text, message) => {
  expect(parseMessage(text)).toEqual(message);
  expect(parseMessage(formatMessage(message))).toEqual(message);
});
