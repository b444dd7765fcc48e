// Package guard stands in front of every page and every call of the HTTP
// server. It refuses what comes from elsewhere, and sees to it that no answer
// does harm in a browser.
//
// A request passes, in this order:
//
//	writer.go      a client that reads too slowly is cut off; the request is logged
//	recover.go     what panics is told as a fault with a number that is in the log
//	headers.go     the headers that keep answers inert
//	hosts.go       names that the server does not go by are refused: DNS rebinding
//	crosssite.go   other sites can neither change nor read anything
//	access.go      beyond loopback who asks must know the token
//	form.go        a form must be one that this server has written
//
// login.go has the page that takes the token, sessions.go who gave it there,
// and slowdown.go what becomes of those who guess.
package guard
