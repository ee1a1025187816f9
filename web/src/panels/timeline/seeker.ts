// Requests moments: one at a time, and of those requested in the meantime only the last.

export type Seeker = { want: (time: number) => void }

export function seeker(go: (time: number) => Promise<unknown>, failed: (error: Error) => void): Seeker {
  let under = false
  let next: number | null = null
  const run = async () => {
    under = true
    while (next !== null) {
      const time = next
      next = null
      try {
        await go(time)
      } catch (error) {
        failed(error as Error)
      }
    }
    under = false
  }
  return {
    want(time) {
      next = time
      if (!under) void run()
    },
  }
}
