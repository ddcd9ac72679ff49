import { expect, test } from 'vitest';
import { newClient } from './client-document.ts';
import { clientSchema } from './clients.ts';

test('The client schema accepts its own output, because merged versions contain parsed values', () => {
  for (const report_weekday of ['1', '']) {
    const parsed = clientSchema.parse({ ...newClient(), name: 'Bre AS', meetings_goal: '20', report_weekday });
    expect(parsed).toMatchObject({ meetings_goal: 20, replies_goal: null, report_hour: 8 });
    expect(parsed.report_weekday).toBe(report_weekday === '' ? null : 1);
    expect(clientSchema.parse(parsed)).toEqual(parsed);
  }
});
