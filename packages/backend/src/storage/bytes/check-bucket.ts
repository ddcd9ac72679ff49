/** Checks at startup that the configured object store can write, read and delete objects. */
import { AwsClient } from 'aws4fetch';
import { messageOf } from '../../database/errors.ts';
import { OperatorError } from '../../database/operator-error.ts';
import type { S3Settings } from './s3-byte-store.ts';

const TIMEOUT_MS = 10_000;

/** Processes that start together share this key, so one may delete the object during the check of another. */
const KEY = 'files/start-check';
const CONTENT = 'Test file, written and deleted at each start.';

/** Writes an object, reads it and deletes it. @throws OperatorError */
export async function checkBucket(settings: S3Settings): Promise<void> {
  await send(settings, 'PUT', CONTENT);
  const read = await send(settings, 'GET');
  // Null if another process has already deleted the object.
  if (read !== CONTENT && read !== null)
    throw notAnObjectStore(settings, 'it returned different content than was written');
  await send(settings, 'DELETE');
}

/** @returns the content, or null if the object does not exist */
async function send(settings: S3Settings, method: string, body?: string): Promise<string | null> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const request = await client.sign(`${endpoint}/${bucket}/${KEY}`, { method, ...(body ? { body } : {}) });
  const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw new OperatorError(
      `The object store at ${endpoint} (S3_ENDPOINT) cannot be reached (${fetchReason(error)}).`,
      {
        cause: error,
      },
    );
  });
  const text = await response.text();
  if (response.ok) return text;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  if (response.status === 404 && code === 'NoSuchKey') return null;
  throw bucketError(settings, code, response.status);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function bucketError(settings: S3Settings, code: string | undefined, status: number): OperatorError {
  const { endpoint, region, bucket } = settings;
  switch (code) {
    case 'NoSuchBucket':
    case 'InvalidBucketName':
      return new OperatorError(`The object store at ${endpoint} has no bucket ${JSON.stringify(bucket)} (S3_BUCKET).`);
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return new OperatorError(
        `The object store at ${endpoint} does not accept S3_ACCESS_KEY_ID with this S3_SECRET_ACCESS_KEY (${code}).`,
      );
    case 'AccessDenied':
      return new OperatorError(
        `S3_ACCESS_KEY_ID is not allowed to write, read and delete in the bucket ${JSON.stringify(bucket)} at ${endpoint} (${code}).`,
      );
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return new OperatorError(
        `The bucket ${JSON.stringify(bucket)} at ${endpoint} is not in the region ${JSON.stringify(region)} (S3_REGION).`,
      );
    case undefined:
      return notAnObjectStore(settings, `status ${status}`);
    default:
      return new OperatorError(`The object store at ${endpoint} rejects a test file (${code}, status ${status}).`);
  }
}

function notAnObjectStore({ endpoint }: S3Settings, reason: string): OperatorError {
  return new OperatorError(`The server at ${endpoint} (S3_ENDPOINT) is not an object store (${reason}).`);
}

/** undici's message is "fetch failed", and the reason is in the cause. */
function fetchReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error && error.cause.message;
  return cause || messageOf(error);
}
