import Testing

@testable import PageServer

struct SingleUseTokenTests {
    @Test func `a token is taken once, and an older one never`() {
        let tokens = SingleUseToken()
        #expect(!tokens.take(""))
        let (first, second) = (tokens.make(), tokens.make())
        #expect(!tokens.take(first.text))
        #expect(!tokens.take(String(second.text.dropLast())))
        #expect(tokens.take(second.text))
        #expect(!tokens.take(second.text))
    }
}
