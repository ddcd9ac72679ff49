import { expect, test } from 'vitest';
import { sqlStateStatus } from './sql-state-status.ts';

test('Every class of SQLSTATE has the status documented by PostgREST', () => {
  const statuses: Record<string, number> = {
    '08006': 503,
    '09000': 500,
    '0L000': 403,
    '0P000': 403,
    '21000': 500,
    '22P02': 400,
    '23502': 400,
    '23503': 409,
    '23505': 409,
    '25006': 405,
    '25001': 500,
    '28P01': 403,
    '2D000': 500,
    '38000': 500,
    '39000': 500,
    '3B000': 500,
    '40001': 500,
    '42601': 400,
    '42703': 400,
    '42883': 404,
    '42P01': 404,
    '42P17': 500,
    '53300': 503,
    '53400': 500,
    '54001': 413,
    '55006': 500,
    '57014': 500,
    '57P01': 503,
    '57P02': 503,
    '57P03': 503,
    '57P05': 500,
    '58000': 500,
    F0000: 500,
    HV000: 500,
    P0001: 400,
    P0002: 500,
    PT402: 402,
    XX000: 500,
  };
  const actual = Object.fromEntries(Object.keys(statuses).map((code) => [code, sqlStateStatus(code, '', false)]));
  expect(actual).toEqual(statuses);
});

test('A missing privilege returns 401 for a visitor and 403 for a signed-in user', () => {
  expect(sqlStateStatus('42501', '', true)).toBe(401);
  expect(sqlStateStatus('42501', '', false)).toBe(403);
});

test('An upsert with a duplicate row is a client error, and a subquery with several rows is a server error', () => {
  expect(sqlStateStatus('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', false)).toBe(400);
  expect(sqlStateStatus('21000', 'more than one row returned by a subquery used as an expression', false)).toBe(500);
});

test('A full-text query that Postgres cannot parse is a client error', () => {
  expect(sqlStateStatus('XX000', 'tsquery stack too small', true)).toBe(400);
  expect(sqlStateStatus('54000', 'word is too long in tsquery', true)).toBe(400);
  expect(sqlStateStatus('54000', 'string is too long for tsvector', true)).toBe(413);
});

test('An unknown role returns 401, and any other invalid parameter value returns 400', () => {
  expect(sqlStateStatus('22023', 'role "x" does not exist', false)).toBe(401);
  expect(sqlStateStatus('22023', 'invalid value', false)).toBe(400);
});
