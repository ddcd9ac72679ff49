/** Validates bucket and object names with the rules of Supabase Storage. Rejects path traversal. */
import { ApiError } from '../http/api-error.ts';

const MAX_OBJECT_NAME_LENGTH = 1024;
// Supabase also allows a question mark. It is rejected here, because getPublicUrl() does not escape it, so such a file
// could not be fetched.
const OBJECT_NAME = /^[\w/!\-.*'() &$@=;:+,]+$/;
const BUCKET_NAME = /^[\w!\-.*'() &$@=;:+,]{1,63}$/;

/** @throws ApiError InvalidKey */
export function requireObjectName(name: string): string {
  const isValid =
    name.length <= MAX_OBJECT_NAME_LENGTH &&
    OBJECT_NAME.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isValid) throw new ApiError(400, 'InvalidKey', `Invalid key: ${name.slice(0, 100)}`);
  return name;
}

/** @throws ApiError InvalidBucketName */
export function requireBucketName(name: string): string {
  if (!BUCKET_NAME.test(name) || name.trim() !== name || name === '.' || name === '..') {
    throw new ApiError(400, 'InvalidBucketName', 'Bucket name invalid');
  }
  return name;
}

const UNITS: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/**
 * Parses a size in bytes from a number or a string such as `20mb`. Units are decimal, as in Supabase.
 * @throws ApiError InvalidRequest
 */
export function parseSize(size: number | string): number {
  if (typeof size === 'number') return Math.floor(size);
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(size) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (factor === undefined) {
    throw new ApiError(400, 'InvalidRequest', 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  }
  return Math.floor(Number(amount) * factor);
}
