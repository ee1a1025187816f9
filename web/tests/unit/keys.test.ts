import { describe, expect, it } from 'vitest'
import { ramp } from '../../src/ui/colours'
import { keyLabel, keyName, keyTable, registerKey } from '../../src/ui/keys'

describe('keys', () => {
  it('have names and labels', () => {
    expect(keyName({ key: ' ' })).toBe('space')
    expect(keyName({ key: 'ArrowLeft' })).toBe('left')
    expect(keyLabel('left')).toBe('←')
    expect(keyLabel('A')).toBe('Shift A')
    expect(keyLabel('a')).toBe('A')
    expect(keyLabel('space')).toBe('Space')
  })

  it('are listed by group until they are taken back', () => {
    const forget = registerKey({ keys: ['q'], group: 'Test', what: 'Nothing', action: () => {} })
    expect(keyTable()).toContainEqual({ group: 'Test', rows: [{ keys: ['Q'], what: 'Nothing' }] })
    forget()
    expect(keyTable().some((each) => each.group === 'Test')).toBe(false)
  })
})

describe('colours', () => {
  it('lie between their stops', () => {
    expect(
      ramp(
        [
          [0, 0, 0],
          [100, 200, 50],
        ],
        0.5,
      ),
    ).toBe('rgb(50, 100, 25)')
    expect(
      ramp(
        [
          [0, 0, 0],
          [100, 200, 50],
        ],
        7,
      ),
    ).toBe('rgb(100, 200, 50)')
    expect(
      ramp(
        [
          [0, 0, 0],
          [100, 200, 50],
        ],
        Number.NaN,
      ),
    ).toBe('rgb(0, 0, 0)')
  })
})
