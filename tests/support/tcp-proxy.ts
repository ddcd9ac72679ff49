import { connect, createServer, type Socket } from 'node:net';

/** Starts a proxy between the site and a server. It can close connections and pause data. */
export async function startTcpProxy(serverUrl: string) {
  const { hostname, port: serverPort } = new URL(serverUrl);
  let targetPort = Number(serverPort);
  /** Maps each socket to the socket that it is piped to. */
  const sockets = new Map<Socket, Socket>();
  let isDisconnected = false;
  let isPaused = false;
  const proxy = createServer((client) => {
    if (isDisconnected) return client.resetAndDestroy();
    const server = connect(targetPort, hostname);
    for (const [socket, target] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.set(socket, target);
      if (!isPaused) socket.pipe(target);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        target.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = proxy.address() as { port: number };
  return {
    url: serverUrl.replace(serverPort, String(port)),
    /** Connects new clients to another server on this machine, as after a DNS change. */
    redirectTo(otherUrl: string) {
      targetPort = Number(new URL(otherUrl).port);
    },
    /** Holds back all data until `release`. Connections stay open. */
    pause() {
      isPaused = true;
      for (const socket of sockets.keys()) socket.unpipe();
    },
    release() {
      isPaused = false;
      for (const [socket, target] of sockets) socket.pipe(target);
    },
    /** Closes all connections and rejects new ones until `restore`. */
    async disconnect() {
      isDisconnected = true;
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
    async restore() {
      isDisconnected = false;
      await listen(port);
    },
  };
}
