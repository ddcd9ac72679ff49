/** Detects the end and renewal of an admin's session. Used only in the admin area. */
import { sessionApi } from '../api/visitor-api.ts';
import { hasSessionEnded } from './load-account.ts';

/** Reads the current session of an admin, or null if it has ended or belongs to another user. */
export async function adminSession(userId: string): Promise<{ accessToken: string; isAdmin: boolean } | null> {
  const api = await sessionApi();
  const { data } = await api.auth.getSession();
  if (data.session?.user.id !== userId || (await hasSessionEnded())) return null;
  const roleResponse = await api.from('user_roles').select('role, approved').eq('user_id', userId).maybeSingle();
  // If the lookup fails, assume that the user is still an admin.
  const isAdmin = roleResponse.error !== null || (roleResponse.data?.role === 'admin' && roleResponse.data.approved);
  return { accessToken: data.session.access_token, isAdmin };
}

/** Calls `onSession` for the current session and for new sessions of this browser, including sign-ins in other tabs. */
export async function watchSignIns(onSession: (user: { id: string; email: string }) => void): Promise<() => void> {
  const api = await sessionApi();
  const { data } = api.auth.onAuthStateChange((_event, session) => {
    const user = session?.user;
    // Defer the call, because the auth client holds its lock during the callback.
    if (user) setTimeout(() => onSession({ id: user.id, email: user.email ?? '' }), 0);
  });
  return () => data.subscription.unsubscribe();
}
