import { expect, test } from 'vitest';
import { listTeam } from './team.ts';

const published = [{ id: '1', name: 'Kari', position: 'Data', bio: 'Hei', avatar_url: null }];
const kari = { name: 'Kari', designation: 'Data', quote: 'Hei', src: '' };
const ola = { name: 'Ola', designation: 'Copy', quote: 'Ja', src: '/ola.jpg' };

test('Published team members replace the built-in ones', () => {
  expect(listTeam(published, [ola], false)).toEqual([kari]);
});

test('Members saved with the page follow the published ones, without duplicate names', () => {
  expect(listTeam(published, [{ ...kari, quote: 'old' }, ola], true)).toEqual([kari, ola]);
});

test('Shows the built-in members if no team member is published', () => {
  expect(listTeam([], [ola], false)).toEqual([ola]);
});
