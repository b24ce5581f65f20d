/*!
This file contains:

*/
var m=new Set(h(`
am an and any are as at be been being by can cannot cant did do does doesnt dont find for from get getting has have
how if im in is it just make many me mean my need no not of off on one only or our out over please should so some that the
there this to too us use using want was we what whats when where which who why will with would you your
`)),v=new Set(h(`
api call code data endpoint error fail field header http list message name parameter pet provide request
response return server statuscode support type url value
`).map(p));function h(t){return t.trim().split(/\s+/)}function g(t){if(v.has(p(t)))return 0.4;return/^[45]\d\d$/.test(t)?1.5:1}var k=`
add create insert post new save
address url endpoint path route host
again repeat retry resend
authentication authorization auth login signin credential password
ban block blacklist unban unblock
bulk batch multiple
client library sdk package wrapper
compress gzip
console dashboard portal admin
day daily
delete remove destroy erase
deprecate obsolete sunset eol discontinue
duplicate twice double
error failure failed exception problem
example sample demo snippet
expire expiry lifetime ttl
fake mock dummy
get fetch read retrieve show view lookup
https tls ssl certificate cert
image photo picture avatar
integer int int64 bigint long number
key token secret credential
large big huge
left remaining
limit quota throttle cap
list all
malformed syntax parse
log trace debug correlationid
maximum max largest limit
order buy purchase checkout cart
outage down downtime maintenance uptime
page pagination cursor
permission scope role privilege
pet animal
plan tier subscription
price cost pay billing refund
require mandatory
revoke suspend disable deactivate
rotate renew regenerate
schema model
search find filter query
size length long
sort order
staging sandbox test
start begin tutorial quickstart guide
status state availability
support help contact
time date timestamp clock epoch
update edit modify patch put replace rename overwrite upsert
version semver
wait delay backoff
webhook event notify notification callback
`.trim().split(`
`);function d(t){return(t.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)??[]).map((e)=>{let r=e.split(/^[xX]-|[_-]+|(?<=[a-z])(?=[A-Z])/).filter((n)=>n!=="");return(r.length>1?[r.join(""),...r]:r).map((n)=>n.toLowerCase())})}function p(t){return`${t.replace(/^([a-z]{3,}?)(?:abil|abl|at(?=[ei])|ed|enc|ent|ing|ion|ity|ment|e|i|s|y)+$/,"$1").replace(/([a-z])\1$/,"$1")}-`}var O=Map.groupBy(k.flatMap((t)=>t.split(" ").map((e)=>({stem:p(e),line:t}))),({stem:t})=>t);function y(t){return(O.get(p(t))??[]).flatMap(({line:r})=>r.split(" "))}function u(t,e,r){if(t===e)return!0;let[a,n]=[t.slice(1),e.slice(1)];if(t[0]===e[0])return u(a,n,r);if(r===0)return!1;let o=t.slice(1,2)+t.slice(0,1)+t.slice(2);return[[a,e],[t,n],[a,n],[o,e]].some(([c,s])=>u(c,s,r-1))}var E=12,T=0.25,N=0.5;function z(t){let e=b(t);return(r)=>e(r).map(({text:a,...n})=>{let i=`${n.title}: ${a}`.split(/(?<=[.,:;]) /).map((s)=>({...n,title:"",words:"",text:s})),c=a.indexOf(b(i)(r)[0]?.text??"");return{...n,text:c>0?`… ${a.slice(c)}`:a}})}function b(t){let e=_(t);return(r)=>{let a=new Map(t.map((o)=>[o,0]));for(let o of I(r,e)){let i=r.toLowerCase().endsWith(o),c=new Map;for(let[l,f]of Y(o,i,e))for(let[x,M]of e.get(l)??[])S(c,x,M*f);let s=Math.log(1+t.length/c.size);for(let[l,f]of c)a.set(l,(a.get(l)??0)+f*s*g(o))}let n=Math.max(...a.values());return[...a].filter(([,o])=>o>n*T).sort(([,o],[,i])=>i-o).slice(0,E).map(([o])=>o)}}function _(t){let e=new Map,r=(n,o,i)=>{for(let c of[n,p(n)]){let s=e.get(c)??new Map;S(s,o,i),e.set(c,s)}},a=(n,o,i)=>{for(let c of n){r(c,o,i);for(let s of y(c))r(s,o,i*N)}};for(let n of t)for(let o of[n.title,...n.words.split(" "),n.text]){let i=d(o),c=1/Math.sqrt(i.length);for(let[s="",...l]of i)a([s],n,c),a(l,n,c/Math.sqrt(l.length))}return e}function S(t,e,r){t.set(e,Math.max(r,t.get(e)??0))}function I(t,e){let r=t.replace(/\/v1\b/,"").replace(/(\/\w+)s\/\S+/,"$1"),a=d(r).flatMap(([s="",...l])=>l.length===0||e.has(s)?[s]:l),n=a.filter((s)=>!/^(?:an?|the|my|your)$/.test(s)),o=n.filter((s)=>!/^(?:.|\d\d)$/.test(s)&&!m.has(s)),i=o.filter((s)=>g(s)>=1),c=[2,3].flatMap((s)=>[...w(n,s),...w(i,s)]);return[...(o.length>0?o:a).flatMap((s)=>R(s,e)),...new Set(c.flatMap((s)=>s.find((l)=>e.has(l))??[]))]}function w(t,e){return t.slice(e-1).map((r,a)=>{let n=t.slice(a,a+e-1).join("");return[n+r,p(n+r)].filter((o)=>o.length>n.length+1)})}function R(t,e){if(e.has(t)||e.has(p(t)))return[t];for(let r=3;r<t.length-1;r++){let a=[t.slice(0,r),t.slice(r)];if(a.every((n)=>e.has(n)))return a}return[t]}function Y(t,e,r){let a=p(t),n=(i)=>(c)=>t.length>4*i&&t[0]===c[0]&&u(t,c,i),o=[[0.9,(i)=>i===t||i===a],[0.8,(i)=>e&&i.startsWith(t)],[0.8,n(1)],[0.4,n(2)]];for(let[i,c]of o){let s=[...r.keys()].filter(c);if(s.length>0)return s.flatMap((l)=>[[l,l===t?1:i],[p(l),i]])}return[]}export{z as newSearch};
