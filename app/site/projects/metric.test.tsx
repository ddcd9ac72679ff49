import { expect, test } from 'vitest';
import { splitMetric } from './metric.tsx';

test.each([
  ['+40% qualified meetings', '+40%', 'qualified meetings'],
  ['$2M+ pipeline opened', '$2M+', 'pipeline opened'],
  ['31,000 duplicates removed', '31,000', 'duplicates removed'],
  [' 3x  as many replies ', '3x', 'as many replies'],
  ['96%', '96%', ''],
  ['Twice the replies', '', 'Twice the replies'],
  ['From 5 to 7 meetings', '', 'From 5 to 7 meetings'],
  ['Q3 closed first', '', 'Q3 closed first'],
])('Splits the metric "%s" into the figure "%s" and a label', (text, figure, label) => {
  expect(splitMetric(text)).toEqual({ figure, label });
});
