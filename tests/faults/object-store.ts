import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { createNoisyImage } from '../support/resumable-upload.ts';
import { startS3Server } from '../support/s3-server.ts';
import { newDataFolder, removeFolder, startSite } from '../support/site.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { assertTrue, fetchStatus } from './checks.ts';

const S3 = { accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' };
const TEXT = 'A line of a file.\n'.repeat(20_000);

/**
 * Makes the object store reject, abort, truncate and delay requests. A file must be complete, or its request must fail.
 */
export async function disturbObjectStore(): Promise<string> {
  const { folder, secretKey } = await newDataFolder('off');
  const store = await startS3Server(S3);
  const storeProxy = await startTcpProxy(store.url);
  const site = await startSite(folder, {
    S3_ENDPOINT: storeProxy.url,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: S3.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
  });
  try {
    const { storage } = createClient(site.url, secretKey, { auth: { persistSession: false } });
    await storage.createBucket('faults', { public: true });
    const files = storage.from('faults');
    const fileExists = async (name: string) => (await files.exists(name)).data;
    const read = (name: string) => fetchContent(files.getPublicUrl(name).data.publicUrl);
    const upload = async (name: string) => (await files.upload(name, TEXT)).error;
    const isUnavailable = (error: object | null) => error !== null && 'status' in error && error.status === 503;
    assertTrue(
      (await upload('kept.txt')) === null && (await read('kept.txt')) === TEXT,
      'a file can be stored and read',
    );

    for (const status of [403, 429, 500, 503]) {
      store.failNext = status;
      assertTrue(
        isUnavailable(await upload('rejected.txt')) && !(await fileExists('rejected.txt')),
        `an upload fails (${status})`,
      );
      store.failNext = status;
      assertTrue(isUnavailable((await files.copy('kept.txt', 'copy.txt')).error), `a copy fails (${status})`);
      store.failNext = status;
      assertTrue((await read('kept.txt')) === 503, `a read fails (${status})`);
    }
    assertTrue(
      !(await fileExists('copy.txt')) && (await read('kept.txt')) === TEXT,
      'no part of the upload remains, and files can be read',
    );

    const picture = await createNoisyImage(200, 100);
    await storage.from('content-media').upload('picture.png', picture);
    const { publicUrl } = storage.from('content-media').getPublicUrl('picture.png', { transform: { width: 320 } }).data;
    store.breakNext = true;
    const rendition = await fetchContent(publicUrl);
    assertTrue(rendition === 503, `a partly received image is not rendered: ${String(rendition).slice(0, 80)}`);
    assertTrue(typeof (await fetchContent(publicUrl)) === 'string', 'the rendition is created from the complete image');
    store.breakNext = true;
    assertTrue((await read('kept.txt')) === 0, 'a reader notices that a file is truncated');
    const [key = '', content] = [...store.objects].find(([, bytes]) => bytes.toString() === TEXT) ?? [];
    if (!content) throw new Error('The store lacks the file');
    store.objects.set(key, content.subarray(0, content.length / 2));
    assertTrue((await read('kept.txt')) === 0, 'a reader notices that half of a file is missing in the store');
    store.objects.set(key, content);

    storeProxy.pause();
    const slowUpload = upload('slow.txt');
    const secondUpload = upload('cut.txt');
    assertTrue((await fetchStatus(site.url)) === 200, 'pages are shown while the store is slow');
    assertTrue(
      (await fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers: { apikey: PUBLISHABLE_KEY } })) === 200,
      'tables are read',
    );
    storeProxy.release();
    assertTrue((await slowUpload) === null && (await secondUpload) === null, 'slow uploads are stored');
    const requests = store.requests.length;
    storeProxy.pause();
    const halfUpload = upload('half.txt');
    assertTrue((await fetchStatus(site.url)) === 200 && store.requests.length === requests, 'an upload is in progress');
    await storeProxy.disconnect();
    assertTrue(
      isUnavailable(await halfUpload) && !(await fileExists('half.txt')),
      'an upload whose connection breaks fails',
    );
    storeProxy.release();
    await storeProxy.restore();
    assertTrue((await upload('half.txt')) === null && (await read('half.txt')) === TEXT, 'the upload can be repeated');
    return 'rejected, aborted, truncated and slow requests: files were complete or their requests failed, and everything recovered';
  } finally {
    await site.stop('SIGKILL');
    await storeProxy.disconnect();
    await Promise.all([store.close(), removeFolder(folder)]);
  }
}

/**
 * Returns the text of a successful response, the status of any other response, or 0 if the response is aborted. @throws
 * Error if it never ends
 */
async function fetchContent(url: string): Promise<string | number> {
  const signal = AbortSignal.timeout(60_000);
  try {
    const response = await fetch(url, { signal });
    const text = await response.text();
    return response.ok ? text : response.status;
  } catch (error) {
    if (signal.aborted) throw new Error(`Expectation failed: the response of ${url} ends`, { cause: error });
    return 0;
  }
}
