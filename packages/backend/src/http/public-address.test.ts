import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { publicFetch } from './external-fetch.ts';
import { isPrivate, lookUpPublic, PrivateAddressError } from './public-address.ts';

/** Two addresses of each network: the first address, and the last address or one in the middle. */
const PRIVATE_ADDRESSES = `
  0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.0.1
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.255 192.0.2.1 192.0.2.255 192.88.99.1 192.88.99.255
  192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 198.51.100.255 203.0.113.1 203.0.113.255 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::2 ::7f00:1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::1 64:ff9b::10.0.0.1
  64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100::1 100:0:0:1::1 1fff:ffff::1 2001::1
  2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1::1 2001:2::1 2001:10::1 2001:2f::1 2001:1ff:ffff::1 2001:db8::1
  2001:db8:ffff::1 2002::1 2002:7f00:1::1 2002:ffff::1 3fff::1 3fff:fff::1 4000::1 5f00::1 7fff::1 8000::1 fc00::1
  fdff::1 fe80::1 febf::1 fec0::1 feff::1 ff00::1 ff02::1 ffff::1`;

/** Addresses next to those networks, and some well-known servers. */
const PUBLIC_ADDRESSES = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255
  198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700:4700::1111 2a00:1450::1
  3ffe::1 3fff:1000::1`;

const split = (text: string) => text.trim().split(/\s+/);

test('An address of a special-purpose network is private', () => {
  expect(split(PRIVATE_ADDRESSES).filter((address) => !isPrivate(address))).toEqual([]);
});

test('An address next to a special-purpose network is public', () => {
  expect(split(PUBLIC_ADDRESSES).filter(isPrivate)).toEqual([]);
});

test('A name that resolves to a private address is rejected, and a public address is accepted', async () => {
  const lookUp = (host: string) =>
    new Promise((resolve) => lookUpPublic(host, { all: true }, (error, addresses) => resolve(error ?? addresses)));
  expect(await lookUp('localhost')).toBeInstanceOf(PrivateAddressError);
  expect(await lookUp('127.0.0.1')).toBeInstanceOf(PrivateAddressError);
  expect(await lookUp('9.9.9.9')).toEqual([{ address: '9.9.9.9', family: 4 }]);
});

test('A private address is recognised in every notation', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '127.1', 'localhost']) {
      await expect(publicFetch(`https://${host}:${port}/`), host).rejects.toBeInstanceOf(PrivateAddressError);
    }
    for (const host of ['::1', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::']) {
      await expect(publicFetch(`https://[${host}]:${port}/`), host).rejects.toBeInstanceOf(PrivateAddressError);
    }
  } finally {
    server.close();
  }
  expect(requests).toBe(0);
});
