/** `localStorage` key of the secret that binds email links to this browser. */
const STORAGE_KEY = 'approval_link_holder';

let cachedSecret: string | undefined;

/** Returns the secret that binds an email link to this browser. Falls back to memory if storage is unavailable. */
export function browserSecret(): string {
  try {
    cachedSecret = localStorage.getItem(STORAGE_KEY) ?? cachedSecret;
    cachedSecret ??= newSecret();
    localStorage.setItem(STORAGE_KEY, cachedSecret);
  } catch {
    cachedSecret ??= newSecret();
  }
  return cachedSecret;
}

function newSecret(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(32))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
