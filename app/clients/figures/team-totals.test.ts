import { expect, test } from 'vitest';
import { type ClientTotals, groupByChannel, lateClients, sumMetric } from './team-totals.ts';

const CALENDAR = { time_zone: 'Europe/Oslo', first_weekday: 1, is_running: true };

function client(name: string, values: Partial<ClientTotals>): ClientTotals {
  return { id: name, name, ...CALENDAR, latest: null, campaigns: [], ...values };
}

test('A running campaign’s figures are late if they end before last week in the client’s time zone', () => {
  const clients = [
    client('whole', { latest: '2026-11-22' }),
    client('a day short', { latest: '2026-11-21' }),
    client('two weeks', { latest: '2026-11-08' }),
    client('never', {}),
    client('paused', { is_running: false }),
    client('Sunday weeks', { latest: '2026-11-21', first_weekday: 7 }),
  ];
  const late = (now: string) => lateClients(clients, now).map(({ name, weeks }) => [name, weeks]);
  expect(late('2026-11-23T12:00:00Z')).toEqual([
    ['a day short', 1],
    ['two weeks', 2],
    ['never', null],
  ]);
  // Still Sunday in Oslo.
  expect(late('2026-11-22T22:59:00Z')).toEqual([
    ['two weeks', 1],
    ['never', null],
  ]);
});

test('Groups campaigns by channel and totals the listed campaigns', () => {
  const campaign = (id: string, channel: string, sent: number) => ({
    id,
    name: id,
    channel,
    figures: { sent },
    held: 0,
  });
  const channels = groupByChannel([
    client('one', { campaigns: [campaign('a', 'linkedin', 1), campaign('b', 'email', 2)] }),
    client('two', { campaigns: [campaign('c', 'email', 3)] }),
  ]);
  expect(channels.map(({ channel, campaigns }) => [channel, campaigns.map((entry) => entry.client.name)])).toEqual([
    ['email', ['one', 'two']],
    ['linkedin', ['one']],
  ]);
  expect(channels.map((channel) => sumMetric(channel, 'sent'))).toEqual([5, 1]);
  expect(channels.map((channel) => sumMetric(channel, 'replies'))).toEqual([0, 0]);
});
