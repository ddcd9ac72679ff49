import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

// Examples from PostgREST's source and from the official client's tests.
test.each([
  ['film', ['films', 'directors'], 'films'],
  ['role', ['directors', 'roles', 'actors'], 'roles'],
  ['testt', ['test', 'another'], 'test'],
  ['blurb_message', ['get_status', 'get_messages', 'void_func'], 'get_messages'],
  ['(nam, pqaram, vall)', ['(name, param, val)', '(attr, id)'], '(name, param, val)'],
  ['(id)', ['(name, param, val)', '(attr, id)'], '(attr, id)'],
  ['Films', ['films'], 'films'],
])('%s suggests %s', (name, names, suggestion) => {
  expect(closestName(name, names)).toBe(suggestion);
});

test.each([
  ['noclosealternative', ['films', 'roles']],
  ['()', ['(name_param)']],
  ['(noclosealternative)', ['(name, param, val)']],
  ['actors', ['actors', 'actor']],
  ['message_details', ['users', 'channels']],
  ['', ['films']],
  ['x'.repeat(1000), ['x'.repeat(60)]],
])('%s has no suggestion', (name, names) => {
  expect(closestName(name, names)).toBeNull();
});
