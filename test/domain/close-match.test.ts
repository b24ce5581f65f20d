import { describe, expect, test } from 'bun:test';
import { closeMatch } from '../../src/domain/close-match.ts';

const NAMES = ['acme', 'Zoo Basel', 'kingfisher', 'shop', 'shop-eu', 'shop-us'];

describe('the name that was probably meant', () => {
  test.each([
    ['ACME', 'acme', 'has other case'],
    ['king', 'kingfisher', 'is longer'],
    ['acmee', 'acme', 'has a character less'],
    ['acm', 'acme', 'has a character more'],
    ['axme', 'acme', 'has another character'],
    ['amce', 'acme', 'has two characters swapped'],
    ['kingfsiherr', 'kingfisher', 'has two typing errors in a long name'],
    ['zoo basle', 'Zoo Basel', 'has several differences'],
  ])('for %s is %s, which %s', (typed, meant) => {
    expect(closeMatch(typed, NAMES)).toBe(meant);
  });

  test.each([
    ['nobody', 'no name is close'],
    ['axxe', 'a short name has two typing errors'],
    ['k', 'it is too short to complete'],
    ['shop-', 'two names are equally close'],
    ['', 'it is empty'],
  ])('for %p does not exist, because %s', (typed) => {
    expect(closeMatch(typed, NAMES)).toBeUndefined();
  });
});
