/** A mail server on loopback whose responses are set by the test. */
import { createServer, type Server, type Socket } from 'node:net';

export interface SmtpServer {
  url: string;
  /** Received messages, including headers. */
  received: string[];
  /** Responses to a sign-in, a sender and a recipient. */
  signInResponse: string;
  senderResponse: string;
  recipientResponse: string;
  /** Lines with this prefix get no response. '.' is the end of a message, which is still accepted. */
  silentPrefix: string | undefined;
  /** Number of lines without a response. */
  silentLineCount: number;
  close(): Promise<void>;
}

/** Implements just enough of RFC 5321 to accept or reject an email. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.write('220 test\r\n');
    let pending = '';
    let isData = false;
    socket.on('data', (chunk) => {
      pending += chunk.toString();
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n';
        const index = pending.indexOf(end);
        if (index < 0) return;
        const line = pending.slice(0, index);
        pending = pending.slice(index + end.length);
        if (isData) {
          fake.received.push(line);
          isData = false;
          if (fake.silentPrefix === '.') fake.silentLineCount += 1;
          else socket.write('250 taken\r\n');
        } else if (fake.silentPrefix && line.startsWith(fake.silentPrefix)) fake.silentLineCount += 1;
        else if (/^DATA/i.test(line)) {
          isData = true;
          socket.write('354 go on\r\n');
        } else if (/^AUTH/i.test(line)) socket.write(`${fake.signInResponse}\r\n`);
        else if (/^MAIL/i.test(line)) socket.write(`${fake.senderResponse}\r\n`);
        else if (/^RCPT/i.test(line)) socket.write(`${fake.recipientResponse}\r\n`);
        else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else if (/^EHLO/i.test(line)) socket.write('250-test\r\n250 AUTH PLAIN\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const fake: SmtpServer = {
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    received: [],
    signInResponse: '235 ok',
    senderResponse: '250 ok',
    recipientResponse: '250 ok',
    silentPrefix: undefined,
    silentLineCount: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}
