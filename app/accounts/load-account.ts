/** Loads the signed-in user with the session, the role and the required second factor. */

import { sessionApi } from '../api/visitor-api.ts';
import { type Account, getStartPage, type Role } from './account.ts';
import { rememberDashboard } from './session-hint.ts';

/** Type guard without zod, because every page waits for the account. */
function isRole(role: string): role is Role {
  return role === 'client' || role === 'team' || role === 'admin';
}

/** Loads the signed-in user, or null if the user is signed out or the session has ended. */
export async function loadAccount(): Promise<Account | null> {
  const api = await sessionApi();
  const { data } = await api.auth.getSession();
  const user = data.session?.user;
  if (!user) return null;
  const { name, role: requestedRole } = user.user_metadata;
  const roleState = await loadRole(user.id, requestedRole);
  if (!roleState) return null;
  const account: Account = {
    id: user.id,
    email: user.email ?? '',
    name: typeof name === 'string' ? name : '',
    createdAt: user.created_at,
    ...roleState,
    factorDue: await findFactorDue(roleState.role),
    // Stored in the JWT so that users without a client make no extra request.
    hasClient: user.app_metadata['has_client'] === true,
    removedCredentials: describeRemovedCredentials(user.app_metadata['setup_dropped']),
  };
  rememberDashboard(getStartPage(account));
  return account;
}

const CREDENTIAL_LABELS: readonly (readonly [name: string, label: string])[] = [
  ['password', 'the password'],
  ['email', 'the email address'],
  ['phone', 'the phone number'],
  ['identities', 'other sign-in methods'],
  ['factors', 'second factors'],
  ['passkeys', 'passkeys'],
  ['applications', 'authorised applications'],
  ['sessions', 'open sessions'],
];
const listFormat = new Intl.ListFormat('en-GB');

/** @param note stored by the authentication service in the account's metadata */
function describeRemovedCredentials(note: unknown): string | null {
  if (typeof note !== 'object' || note === null || !('what' in note) || !('at' in note)) return null;
  const { what, at } = note;
  const isRecent = typeof at === 'string' && Date.now() - Date.parse(at) < 24 * 60 * 60 * 1000;
  if (!isRecent || !Array.isArray(what)) return null;
  const labels = CREDENTIAL_LABELS.flatMap(([name, label]) => (what.includes(name) ? [label] : []));
  return `This email address was not confirmed until now. For your security, we removed these from the account: ${listFormat.format(labels)}.`;
}

type RoleState = Pick<Account, 'role' | 'registration'>;

/** Loads the role. If the lookup fails, logs the error and returns no role. Returns null if the session has ended. */
async function loadRole(userId: string, requestedRole: unknown): Promise<RoleState | null> {
  const api = await sessionApi();
  const readRow = () => api.from('user_roles').select('role, approved').eq('user_id', userId).maybeSingle();
  let { data, error, status } = await readRow();
  // Policies hide all rows from an ended session, so the query also returns no role if the session has ended.
  if (!data && (!error || isAuthRejection(status)) && (await hasSessionEnded())) return null;
  if (!data && !error) {
    const declined = await api.rpc('registration_declined');
    if (declined.data) return { role: null, registration: 'declined' };
    // If the address had to be confirmed, the role chosen at sign-up is assigned at the first sign-in.
    if (requestedRole === 'client' || requestedRole === 'team') {
      const assignment = await api.rpc('register_with_role', { _user_id: userId, _role: requestedRole });
      if (!assignment.error) ({ data, error } = await readRow());
    }
  }
  if (error) {
    console.warn('The role lookup failed:', error.message);
    return { role: null, registration: 'unknown' };
  }
  if (!data || !isRole(data.role)) return { role: null, registration: 'none' };
  const { role, approved } = data;
  return approved ? { role, registration: 'approved' } : { role: null, registration: 'pending' };
}

/**
 * Asks the authentication service whether the session has ended or its account was deleted. If so, removes the session
 * from this browser.
 */
export async function hasSessionEnded(): Promise<boolean> {
  const api = await sessionApi();
  const { error } = await api.auth.getUser();
  if (!error) return false;
  // The auth client has already removed the session after this error.
  if (error.name === 'AuthSessionMissingError') return true;
  if (!isAuthRejection(error.status)) return false;
  await api.auth.signOut({ scope: 'local' });
  return true;
}

function isAuthRejection(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/**
 * Determines the required factor. Reads the assurance level from the local session. Sends a request only for admins
 * without a factor.
 */
async function findFactorDue(role: Role | null): Promise<Account['factorDue']> {
  const api = await sessionApi();
  const { data: level } = await api.auth.mfa.getAuthenticatorAssuranceLevel();
  if (level?.currentLevel === 'aal2') return null;
  if (level?.nextLevel === 'aal2') return 'verify';
  if (role !== 'admin') return null;
  const { data: isRequired } = await api.rpc('admin_needs_second_factor');
  return isRequired ? 'enrol' : null;
}
