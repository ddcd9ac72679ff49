/** Roles of a signed-in person, and the dashboards that they lead to. */

export type Role = 'client' | 'team' | 'admin';

export interface Account {
  id: string;
  email: string;
  /** The name from the account page; empty until it is given. */
  name: string;
  createdAt: string;
  /** The role that counts: null while it is not approved. */
  role: Role | null;
  /**
   * State of a person without a counting role. `none` means the account has no role at all, `unknown` that the role could
   * not be loaded.
   */
  registration: 'approved' | 'pending' | 'declined' | 'none' | 'unknown';
  /**
   * A second factor that this session still lacks: `show` when the person has one, `enrol` when the site asks its admins
   * for one and this admin has none.
   */
  factorDue: 'show' | 'enrol' | null;
  /** True when the person belongs to a client or works for one, as of the last refresh of the session. */
  hasClient: boolean;
  /** Sentence, within a day of the first proof of the address, about what somebody had set up before and is gone. */
  setupDropped: string | null;
}

/** Returns the page where a signed-in person belongs. */
export function homeOf({ role, factorDue }: Account) {
  if (factorDue === 'enrol') return '/account';
  if (role === 'admin') return '/admin/dashboard';
  if (role === 'team') return '/team-dashboard';
  if (role === 'client') return '/client-dashboard';
  return '/pending-approval';
}
