import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { selfSignedCertificate } from '../../packages/backend/src/auth/saml/self-signed-certificate.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { runCommand } from '../support/command.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { removeFolder, startSite } from '../support/site.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { assertTrue, waitUntil } from './checks.ts';

/** Lets the certificates of the mail server and the language model expire, and then renews them. */
export async function expireCertificates({ mails }: { mails: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const [postgres, smtp, model] = await Promise.all([startNativePostgres(), startSmtpServer(), startFakeUpstream()]);
  const [expiredCertificate, validCertificate] = [
    createCertificate('20250101000000Z'),
    createCertificate('21700101000000Z'),
  ];
  const [mailProxy, modelProxy] = await Promise.all([
    startTlsProxy(smtp.url, expiredCertificate),
    startTlsProxy(model.url, expiredCertificate),
  ]);
  const caFile = join(folder, 'trusted.pem');
  await writeFile(caFile, expiredCertificate.cert + validCertificate.cert);
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    NODE_EXTRA_CA_CERTS: caFile,
    SMTP_URL: `smtps://localhost:${mailProxy.port}`,
    AI_BASE_URL: `https://localhost:${modelProxy.port}/v1`,
    AI_MODEL: 'test-model',
  };
  const site = await startSite(folder, environment);
  const database = openPostgresDatabase(postgres.url, 1);
  const queuedMails = async () =>
    (
      await database.query<{ attempts: number; last_error: string | null }>(
        'select attempts, last_error from private.mail_queue',
      )
    ).rows;
  const retryMails = async (attempts: number) => {
    await database.query('update private.mail_queue set next_attempt_at = now(), attempts = $1', [attempts]);
    await database.query(`select pg_notify('mail_queued', '')`);
  };
  try {
    const emails = Array.from({ length: mails }, (_, n) => `person-${n}@example.com`);
    for (const email of emails) await enqueueMail(database, email, 'registration_approved', { Email: email });
    const allFailed = async (attempts: number) => {
      const queue = await queuedMails();
      return (
        queue.length === mails &&
        queue.every((mail) => mail.attempts === attempts && mail.last_error === 'certificate has expired')
      );
    };
    await waitUntil(() => allFailed(1), 'the first attempt to send each email fails, and the email waits');
    await retryMails(150);
    await waitUntil(() => allFailed(151), 'each email still waits after three days');
    assertTrue(smtp.received.length === 0, 'no email is sent without a valid certificate');

    assertTrue(
      (await askAssistant(site.url)).includes('The assistant cannot be reached right now.'),
      'visitors see an error',
    );
    assertTrue(model.requests.length === 0, 'no request reaches the model');
    assertTrue(site.output().includes('"template":"registration_approved"'), 'the log names the mail server');
    assertTrue(
      /fetch failed: certificate has expired/.test(site.output()),
      'the log contains the reason for the failed request to the model',
    );
    const report = await runDoctor(environment);
    for (const subject of ['Mail', 'Assistant']) {
      const pattern = new RegExp(`^error ${subject}: .*certificate has expired.*must renew it`, 'm');
      assertTrue(pattern.test(report), `the doctor names the cause for ${subject}: ${report}`);
    }

    mailProxy.use(validCertificate);
    modelProxy.use(validCertificate);
    await retryMails(151);
    await waitUntil(async () => (await queuedMails()).length === 0, 'every email is sent');
    for (const email of emails) {
      assertTrue(smtp.received.filter((mail) => mail.includes(`To: ${email}`)).length === 1, `${email} gets one email`);
    }
    assertTrue((await askAssistant(site.url)).includes('Hello there'), 'the model replies');
    assertTrue(
      /^ok {4}Mail: .*\nok {4}Assistant: /m.test(await runDoctor(environment)),
      'the doctor reports both servers as OK',
    );
    await site.stop();
    return `${mails} emails waited for a certificate and were sent once, visitors saw that the assistant was unavailable, the doctor named the cause, and everything recovered`;
  } finally {
    await site.stop('SIGKILL');
    await database.close();
    mailProxy.close();
    modelProxy.close();
    await Promise.all([postgres.stop(), smtp.close(), model.close(), removeFolder(folder)]);
  }
}

function createCertificate(until: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: selfSignedCertificate(key, { name: 'localhost', from: '20200101000000Z', until }) };
}

/** Puts a TLS proxy with a replaceable certificate in front of a server. */
async function startTlsProxy(serverUrl: string, initial: { key: string; cert: string }) {
  const { port: serverPort } = new URL(serverUrl);
  const sockets = new Set<TLSSocket>();
  const server = createServer(initial, (client) => {
    sockets.add(client);
    const upstream = connect(Number(serverPort), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    use: (options: { key: string; cert: string }) => server.setSecureContext(options),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Returns the assistant's reply, or its error message. */
async function askAssistant(url: string): Promise<string> {
  const response = await fetch(`${url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PUBLISHABLE_KEY}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  if (!response.ok) return response.text();
  const parts = [...(await response.text()).matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)];
  return parts.map(([, part]) => part).join('');
}

/** Runs the doctor without the database check, which would create a reference database for comparison. */
async function runDoctor(environment: Record<string, string>): Promise<string> {
  return (await runCommand(['scripts/doctor.ts'], { ...environment, DATABASE_URL: '' })).stdout;
}
