/** A DNS server on loopback over UDP, with the record types that the site reads (RFC 1035). */
import { createSocket } from 'node:dgram';

export interface DnsRecords {
  txt?: string[];
  /** Names of mail servers. '' is the null MX, which declares that the domain has no mail server. */
  mx?: string[];
  /** True if queries for this name are never answered. */
  isSilent?: boolean;
}

export interface DnsServer {
  /** Value for the setting DNS_SERVERS. */
  address: string;
  /** Records by name. A name also exists if one of its subdomains has records. */
  zone: Map<string, DnsRecords>;
  /** Queried names, in order. */
  queriedNames: string[];
  close(): Promise<void>;
}

const TXT = 16;
const MX = 15;

export async function startDnsServer(records: Record<string, DnsRecords> = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const zone = new Map(Object.entries(records));
  const queriedNames: string[] = [];
  socket.on('message', (message, from) => {
    const { name, type, question } = readQuestion(message);
    queriedNames.push(name);
    const entry = zone.get(name) ?? zone.get(toWildcard(name));
    if (entry?.isSilent) return;
    const values =
      type === TXT ? (entry?.txt ?? []).map(encodeText) : type === MX ? (entry?.mx ?? []).map(encodeMailServer) : [];
    const nameExists =
      entry !== undefined ||
      [...zone.keys()].some((existingName) => existingName === name || existingName.endsWith(`.${name}`));
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (nameExists ? 0 : 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    const answers = values.map((data) => Buffer.concat([createAnswerHeader(type, data.length), data]));
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    queriedNames,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}

/** Returns the wildcard for a name's parent domain (RFC 4592). */
function toWildcard(name: string): string {
  return `*.${name.slice(name.indexOf('.') + 1)}`;
}

function readQuestion(message: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message.readUInt8(offset); length > 0; length = message.readUInt8(offset)) {
    labels.push(message.toString('ascii', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const type = message.readUInt16BE(offset + 1);
  return { name: labels.join('.').toLowerCase(), type, question: message.subarray(12, offset + 5) };
}

/** Builds the header of a resource record for the queried name. The class is IN, and the TTL is one minute. */
function createAnswerHeader(type: number, length: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(length, 10);
  return head;
}

/** Splits a text into strings of at most 255 bytes. */
function encodeText(text: string): Buffer {
  const pieces = text.match(/[\s\S]{1,255}/g) ?? [''];
  return Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])));
}

function encodeMailServer(server: string): Buffer {
  const labels = server.split('.').filter(Boolean);
  const name = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([Buffer.from([0, 10]), ...name, Buffer.from([0])]);
}
