const LABELS = {
  visitor: 'a visitor',
  stranger: 'a user without a role',
  pending: 'a user awaiting approval',
  client: 'a client user',
  team: 'a team member',
  admin: 'an admin',
  service: 'the service role',
  'service role': 'the service role',
  member: 'a member',
  worker: 'a team member',
};
type Role = keyof typeof LABELS;

/** Pairs each role with its label inside a sentence, for the titles of `test.each`. */
export function labelledRoles<R extends Role>(roles: readonly R[]): [string, R][] {
  return roles.map((role) => [LABELS[role], role]);
}

/** Pairs each role with its capitalised label, for titles that start with it. */
export function capitalizedRoles<R extends Role>(roles: readonly R[]): [string, R][] {
  return roles.map((role) => [LABELS[role].replace(/^./, (letter) => letter.toUpperCase()), role]);
}
