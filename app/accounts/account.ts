/** Roles of a signed-in user, and their dashboards. */

export type Role = 'client' | 'team' | 'admin';

export interface Account {
  id: string;
  email: string;
  /** Name from the account page. May be empty. */
  name: string;
  createdAt: string;
  /** Approved role, or null. */
  role: Role | null;
  /**
   * State of the role. `none` means that the account has no role, and `unknown` that the role could not be loaded.
   */
  registration: 'approved' | 'pending' | 'declined' | 'none' | 'unknown';
  /**
   * Pending second-factor step. `verify` if the user has a factor, `enrol` if the site requires a factor for admins and
   * this admin has not set up a factor.
   */
  factorDue: 'verify' | 'enrol' | null;
  /** True if the user is a member of a client or assigned to a client, as of the last session refresh. */
  hasClient: boolean;
  /** Notice about credentials that were removed when the address was verified. Shown for one day. */
  removedCredentials: string | null;
}

/** Returns the start page for a signed-in user. */
export function getStartPage({ role, factorDue }: Account) {
  if (factorDue === 'enrol') return '/account';
  if (role === 'admin') return '/admin/dashboard';
  if (role === 'team') return '/team-dashboard';
  if (role === 'client') return '/client-dashboard';
  return '/pending-approval';
}
