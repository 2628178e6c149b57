/** A TCP proxy in front of a database server that simulates network faults. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * `none`: the proxy forwards all bytes. `refuse`: the port is closed. `reset`: open and new connections are reset.
 * `deaf`: the bytes of the client are lost. `silent`: the bytes of the server are lost. `slow`: the server's bytes come
 * in one packet every 20 ms. `truncate`: connections end after some bytes of an answer.
 */
export type Fault = 'none' | 'refuse' | 'reset' | 'deaf' | 'silent' | 'slow' | 'truncate'

export interface FaultyNetwork {
  readonly port: number
  /** Sets the fault of new and open connections. */
  set(fault: Fault): Promise<void>
}

export async function startProxy(t: Test, target: { host: string; port: number }): Promise<FaultyNetwork> {
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let fault: Fault = 'none'

  const accept = (client: Socket) => {
    if (fault === 'reset') return void client.resetAndDestroy()
    const server = connect(target)
    const pair = { client, server }
    pairs.add(pair)
    for (const [socket, other] of [
      [client, server],
      [server, client]
    ] as const) {
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        pairs.delete(pair)
        // If bytes are lost, the end of a connection is lost too.
        if (fault !== 'deaf' && fault !== 'silent') other.destroy()
      })
    }
    client.on('data', (data) => {
      if (fault !== 'deaf') server.write(data)
    })
    server.on('data', (data) => {
      if (fault === 'silent') return
      if (fault === 'truncate') return void client.end(data.subarray(0, 7))
      if (fault !== 'slow') return void client.write(data)
      server.pause()
      setTimeout(() => {
        client.write(data)
        server.resume()
      }, 20)
    })
  }

  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer(accept)
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  const cut = () => {
    for (const { client, server } of pairs) {
      // Node.js cannot reset a socket that is ending: the socket would keep its handle, and the process would never end.
      if (client.writableEnded) client.destroy()
      else client.resetAndDestroy()
      server.destroy()
    }
    pairs.clear()
  }

  let listener = await listen(0)
  const { port } = listener.address() as { port: number }
  t.teardown(() => {
    cut()
    listener.close()
  })
  return {
    port,
    async set(next) {
      const before = fault
      fault = next
      if (next === 'reset') cut()
      if (next === 'refuse') {
        listener.close()
        cut()
      } else if (before === 'refuse') listener = await listen(port)
    }
  }
}
