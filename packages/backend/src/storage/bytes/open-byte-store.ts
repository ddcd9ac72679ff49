import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { ByteStore } from './byte-store.ts';
import { checkBucket } from './check-bucket.ts';
import { openLocalByteStore } from './local-byte-store.ts';
import { openS3ByteStore, type S3Settings } from './s3-byte-store.ts';

/** Opens the configured bucket, or a folder in DATA_DIR by default. */
export function openByteStore(config: Config): ByteStore {
  const bucket = getS3Settings(config);
  return bucket ? openS3ByteStore(bucket) : openLocalByteStore(join(config.DATA_DIR, 'files'));
}

/** @throws OperatorError if the bucket cannot be used */
export async function requireByteStore(config: Config): Promise<void> {
  const bucket = getS3Settings(config);
  if (bucket) await checkBucket(bucket);
}

function getS3Settings(config: Config): S3Settings | null {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  return {
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}
