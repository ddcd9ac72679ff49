import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { SiteProcess } from './site.ts';

export interface PreviewLink {
  id: string;
  token: string;
}

/** Creates an admin, and as this admin a preview link that shows all drafts. */
export async function newPreviewLink({ url }: Pick<SiteProcess, 'url'>, secretKey: string): Promise<PreviewLink> {
  const post = async <Result>(path: string, key: string, body: object): Promise<Result> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        apikey: PUBLISHABLE_KEY,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Result>;
  };
  const account = { email: `admin-${crypto.randomUUID()}@example.com`, password: 'Password-1' };
  const { id } = await post<{ id: string }>('/auth/v1/admin/users', secretKey, { ...account, email_confirm: true });
  await post('/rest/v1/user_roles', secretKey, { user_id: id, role: 'admin', approved: true });
  const session = await post<{ access_token: string }>('/auth/v1/token?grant_type=password', PUBLISHABLE_KEY, account);
  return post('/rest/v1/rpc/create_preview_link', session.access_token, { _shows_drafts: true });
}
