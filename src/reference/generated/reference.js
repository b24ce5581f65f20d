/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var g,Fe,tn,O,ge,ne,je,Q,Ve,ve,ye,nn,B=Symbol.for("pv"),re={},oe=[],rn=/^m(i|n|o|s|text|space)$/,xe=Array.isArray,Ge=oe.slice,q=Object.assign;function M(e){e&&e.parentNode&&e.remove()}function Z(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:B,__v:o||++Fe,__i:-1,__u:0};return!o&&g.vnode&&g.vnode(s),s}function T(e){return e.children}function ee(e,t){this.props=e,this.context=t,this.__g=0}function P(e,t){if(t==null)return e.__&&P(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:P(e)}function on(e){var t,n=e.__v,r=n.__e,o=[],s=[],i=e.__P;i&&((t=q({constructor:B},n)).__v=n.__v+1,g.vnode&&g.vnode(t),Se(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||P(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Xe(o,t,s),n.__=n.__e=null,t.__e!=r&&Je(t))}function Je(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Je(e)}function Ue(e){(8&e.__g||(e.__g|=8,O.push(e),ne++))&&ge==g.debounceRendering||((ge=g.debounceRendering)||queueMicrotask)(Ke)}function Ke(){try{for(var e,t=1;O.length;)O.length>t&&O.sort(je),e=O.shift(),t=O.length,8&e.__g&&on(e)}finally{(ne=O.length)&&(ge||queueMicrotask)(Ke)}}function Ye(e,t,n,r,o,s,i,l,c,d,u){var h,_,a,f,E,y,v=r.__k||oe,m=t.length;for(c=sn(n,t,v,c,m),h=0;h<m;h++)(a=n.__k[h])!=null&&(_=~a.__i&&v[a.__i]||re,a.__i=h,y=Se(e,a,_,o,s,i,l,c,d,u),f=a.__e,(_.ref!=a.ref||8&_.__u)&&(_.ref&&be(_.ref,null,a,_),a.ref&&u.push(a.ref,a.__c||f,a)),E=E||f,4&a.__u?(c=We(a,c,e,!_.__v),_.__e&&(_.__e=null)):typeof a.type=="function"&&y!==void 0?c=y:f&&(c=f.nextSibling),a.__u&=-21);return n.__e=E,c}function sn(e,t,n,r,o){var s,i,l,c,d,u,h,_,a,f=n.length,E=f,y=0,v=0,m=e.__k=Array(o);for(s=0;s<o;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=m[s]=Z(null,i):xe(i)?i=m[s]=Z(T,{children:i}):i.constructor===B&&i.__b?i=m[s]=Z(i.type,i.props,i.key,i.ref,i.__v):m[s]=i,c=s+y,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=an(i,n,c,E))&&(E--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?y--:d==c+1?y++:d!=c&&(d>c?y--:y++,v=1)):(~d||(o>f?y--:o<f&&y++),typeof i.type!="function"&&(i.__u|=4))):m[s]=null;if(v){for(u=[],h=[],s=0;s<o;s++)if((i=m[s])&&16&i.__u){for(y=0,_=u.length;y<_;)u[a=y+_>>1]<i.__i?y=a+1:_=a;u[y]=i.__i,h[s]=y+1}for(y=u.length;s--;)h[s]&&(h[s]==y?y--:m[s].__u|=4)}if(E)for(s=0;s<f;s++)!(l=n[s])||2&l.__u||(l.__e==r&&(r=P(l)),Ee(l,l));return r}function We(e,t,n,r){var o,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=We(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=P(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function an(e,t,n,r){var o,{key:s,type:i}=e,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&i==l.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o;for(o=n+1;o<t.length;o++)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o}return-1}function Be(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function X(e,t,n,r,o){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Be(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Be(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=ye[t]||(ye[t]=ln(t)),(e.__a||(e.__a={}))[t]=ve,s=t!=(t=t.replace(Ve,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ln(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Q]==null)t[Q]=ve++;else if(t[Q]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function Se(e,t,n,r,o,s,i,l,c,d){var u,h,_,a,f,E,y,v,m,w,x,he,He,z,N,De,I,L,R=t.type;if(t.constructor!==B)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,h=s=[],u.nodeType==8?l=te(u,s):s.push(u),l=s[0]||l),(u=g.__b)&&u(t);e:if(typeof R=="function"){_=i.length;try{if(v=t.props,m=(u=R.prototype)&&u.render,w=(u=R.contextType)&&r[u.__c],x=u?w?w.props.value:u.__:r,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(m?t.__c=a=new R(v,x):(t.__c=a=new ee(v,x),a.constructor=R,a.render=cn),w&&w.sub(a),a.state||(a.state={}),a.__n=r,a.__g|=8,a.__h=[],a.__k=[]),m&&(a.__s||(a.__s=a.state),R.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=q({},a.__s)),q(a.__s,R.getDerivedStateFromProps(v,a.__s)))),f=a.props,E=a.state,a.__v=t,n.__c){if(v!==f&&m&&!R.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(v,a.__s,x)===!1){t.__v!=n.__v&&(a.props=v,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(A){A&&(A.__=t)}),oe.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=P(n);break e}a.componentWillUpdate&&a.componentWillUpdate(v,a.__s,x),m&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(f,E,y)})}else m&&!R.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),m&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=x,a.props=v,a.__P=e,a.__g&=-5,he=g.__r,He=m?25:0;do a.__g&=-9,he&&he(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++He<25);m&&(oe.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(r=q({},r,a.getChildContext())),m&&n.__c&&a.getSnapshotBeforeUpdate&&(y=a.getSnapshotBeforeUpdate(f,E)),z=u&&u.type===T&&u.key==null?u.props.children:u,v.__P&&(u=l,o=(e=v.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(A){A&&Ee(A,A)}),n.__k=null),l=n.__k?P(n,0):null),l=Ye(e,xe(z)?z:[z],t,n,r,o,s,i,l,c,d),v.__P&&(t.__e=null,l=u),t.__u&=-161,h&&h.some(M),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(A){if(i.length=_,t.__v=null,c||s)if(A&&A.then){if(t.__u|=128|c,s){for(~(I=s.indexOf(l||void 0))||(I=s.length);(L=s[I-1])&&L.nodeType==8;)I--;for(;I<s.length;I++)if(L=s[I])if(s[I]=null,N){if(L==De)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(De=te(N=L))}}if(!N){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;N=l}(u=te(N=t.__c.__z||(t.__c.__z=N)))?(t.__e=N,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(M);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),A&&A.then||ze(t),g.__e(A,t,n)}}else l=t.__e=un(n.__e,t,n,r,o,s,i,c,d,e);return(u=g.diffed)&&u(t),l}function te(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ze(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ze))}function Xe(e,t,n){for(var r=0;r<n.length;)be(n[r++],n[r++],n[r++]);g.__c&&g.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){g.__e(s,o.__v)}})}function un(e,t,n,r,o,s,i,l,c,d){var u,h,_,a,f,E,y,v,m=n.props||re,{props:w,type:x}=t;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((f=s[u])&&(x?f.localName==x:f.nodeType==3)){e=f,s[u]=null;break}}if(!e){if(v=d.ownerDocument||document,!x)return v.createTextNode(w);e=v.createElementNS(o,x,w.is?w:d),l&&(g.__m&&g.__m(t,s),l=!1),s=null}if(x){if(d=x=="template"&&e.content||e,s=x=="textarea"&&w.defaultValue!=null?null:s&&Ge.call(d.childNodes),!l&&s)for(m={},u=0;u<e.attributes.length;u++)m[(f=e.attributes[u]).name]=f.value;for(u in m)f=m[u],u=="dangerouslySetInnerHTML"?_=f:u=="children"||(u in w)||u=="value"&&("defaultValue"in w)||u=="checked"&&("defaultChecked"in w)||X(e,u,null,f,o);for(u in w)f=w[u],u=="children"?a=f:u=="dangerouslySetInnerHTML"?h=f:u=="value"?E=f:u=="checked"?y=f:l&&typeof f!="function"||m[u]===f||X(e,u,f,m[u],o);h?(l||_&&(h.__html==_.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(_&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&rn.test(x))&&(o="http://www.w3.org/1999/xhtml"),Ye(d,xe(a)?a:[a],t,n,r,o,s,i,s?s[0]:n.__k&&P(n,0),l,c),s&&s.some(M)),l&&x!="textarea"||(u="value",x=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(x!="progress"||E)||X(e,u,E,m[u],o),u="checked",y!=null&&y!=e[u]&&X(e,u,y,m[u],o))}else m===w||l&&e.data==w||(e.data=w);return e}function be(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){g.__e(o,n)}}function Ee(e,t,n){var r,o,s,i;if(g.unmount&&g.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||be(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){g.__e(l,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Ee(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=te(r,s=[]))&&(r==e.__e&&s.some(M),M(o),M(r)),n||M(e.__e),e.__e=e.__c=e.__=null}function cn(e,t,n){return this.constructor(e,n)}function pn(e,t){var n,r,o,s;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Z(T,{children:[e]}),o=[],s=[],Se(t,t.__k,r||re,re,t.namespaceURI,r?null:t.firstChild?Ge.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),Xe(o,t.__k,s),t.__k.props.children=null}function Qe(e,t){e&&typeof e=="object"&&(e.__u|=32),pn(e,t)}g={__e:function(e,t,n,r){for(var o,s,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){e=l}}throw ne=0,e}},Fe=0,tn=function(e){return e!=null&&e.constructor===B},ee.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=q({},this.state)),typeof e=="function"&&(e=e(q({},n),this.props)),e&&(q(n,e),this.__v&&(t&&this.__k.push(t),Ue(this)))},ee.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ue(this))},ee.prototype.render=T,O=[],ne=0,je=function(e,t){return e.__v.__b-t.__v.__b},Q=Symbol(),Ve=/(PointerCapture)$|Capture$/i,ve=0,ye={},nn=0;var j,b,we,Ze,Ae=Object.is,se=0,lt=[],Te=[],S=g,{__b:et,__r:tt,diffed:nt,__c:rt,unmount:ot,__:st}=S;function Re(e,t){S.__h&&S.__h(b,e,se||t),se=0;var n=b.__H||(b.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function k(e){return se=1,dn(ct,e)}function dn(e,t,n){var r=Re(j++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ct(void 0,t),function(s){var i=(r.__N||r.__)[0],l=r.t(i,s);Ae(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=b,!b.__f)){b.__f=!0;var o=b.shouldComponentUpdate;b.shouldComponentUpdate=function(s,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function(_){_.__N&&(d=!0,Ae(_.__[0],_.__N[0])||(u=!0))}),o){var h=o.call(this,s,i,l);return d?h||u:h}return!d||u}}return r.__}function H(e,t){var n=Re(j++,4);!S.__s&&ut(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,b.__h.push(n))}function ie(e){return se=5,_n(function(){return{current:e}},[])}function _n(e,t){var n=Re(j++,7);return ut(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function fn(){var e;do{for(;e=Te.shift();)try{F(e)}catch(n){S.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=lt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(F),t.__h.some(ke),t.__h=[]}catch(n){t.__h=[],S.__e(n,e.__v)}}}while(Te.length)}S.__b=function(e){b=null,et&&et(e)},S.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),st&&st(e,t)},S.__r=function(e){tt&&tt(e),j=0;var t=(b=e.__c).__H;t&&(we==b?b.__h=[]:(t.__h.some(F),t.__h.some(ke),j=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),we=b},S.diffed=function(e){nt&&nt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&at(lt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),we=b=null},S.__c=function(e,t){t.some(function(n){try{n.__h.some(F),n.__h=n.__h.filter(function(r){return!r.__||ke(r)})}catch(r){n.__h=[function(){throw r}]}}),rt&&rt(e,t)},S.unmount=function(e){ot&&ot(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,at(Te.push(o))}else F(o)}catch(s){t=s}}),r.__H=void 0,t&&S.__e(t,r.__v))};var it=typeof requestAnimationFrame=="function";function mn(e){var t,n=function(){clearTimeout(r),it&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);it&&(t=requestAnimationFrame(n))}function at(e){e!=1&&Ze==S.requestAnimationFrame||((Ze=S.requestAnimationFrame)||mn)(fn)}function F(e){var t=b,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),b=t}function ke(e){var t=b;e.__c=e.__(),b=t}function ut(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Ae(n,e[r])})}function ct(e,t){return typeof t=="function"?t(e):t}var V="/v1";var pt="/docs/errors";var dt="/docs/search.json",_t="/docs/search.js";var ft="/client.tgz",fr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${V}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var hn=Symbol.for("pv"),gn=0;function p(e,t,n,r,o,s){t||(t={});var i,l,c=t;if("ref"in c&&typeof e!="function")for(l in c={},t)l=="ref"?i=t[l]:c[l]=t[l];var d={type:e,props:c,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:hn,__v:--gn,__i:-1,__u:0};return(o||s)&&(d.__source=o,d.__self=s),g.vnode&&g.vnode(d),d}function G({language:e,code:t}){return p("pre",{class:"code",tabIndex:0,children:p("code",{children:xn(e,t).map(({kind:n,text:r})=>n===void 0?r:p("span",{class:`code-${n}`,children:r}))})})}function ae({what:e="code"}){return p("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",p("span",{class:"hidden",children:[" ",e]})]})}var yn=Ce({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),mt=Ce({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),vn={curl:mt,sh:mt,http:Ce({name:/^[\w-]+(?=:)/})};function Ce(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function xn(e,t){let n=[],r=0;for(let{0:o,index:s,groups:i={}}of t.matchAll(vn[e]??yn)){if(o==="")continue;if(s>r)n.push({text:t.slice(r,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:o}),r=s+o.length}if(r<t.length)n.push({text:t.slice(r)});return n}function le(e){return`'${e.replaceAll("'","'\\''")}'`}var ht=`# curl

## A request

\`\`\`sh
curl -X {{methodAndUrl}} \\
  -i --fail-with-body \\
  {{options}} \\
  {{lastOption}}
\`\`\`

## Every page

\`\`\`sh
url={{url}}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done
\`\`\`

## A request with retries

\`\`\`sh
send() {
  curl -X {{methodAndUrl}} \\
    -isS -m 30 -w '\\n%{http_code}' \\
    {{options}} \\
    {{lastOption}}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | {{retried}}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]
\`\`\`
`;var gt=`# JavaScript

## A request

\`\`\`js
const response = await fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);
\`\`\`

## Every page

\`\`\`js
let url = {{url}};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
\`\`\`

## A request with retries

\`\`\`js
const send = () => fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
  signal: AbortSignal.timeout(30_000),
});

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [{{retried}}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
\`\`\`
`;var yt=`# Go

## A request

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	{{bodyPackage}}
)

func main() {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
\`\`\`

## Every page

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := {{url}}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}
\`\`\`

## A request with retries

\`\`\`go
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	{{bodyPackage}}
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		return wait, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := client.Do(request)
	if err != nil {
		return wait, err
	}
	defer response.Body.Close()
	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)

	body, err := io.ReadAll(response.Body)
	if err != nil {
		return wait, err
	}
	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case {{retried}}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}
\`\`\`
`;var vt=`# Python

## A request

\`\`\`python
import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
\`\`\`

## Every page

\`\`\`python
import json
import os
import re
import urllib.error
import urllib.request

url = {{url}}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]
\`\`\`

## A request with retries

\`\`\`python
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in ({{retried}}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)
\`\`\`
`;var bt=-(2n**63n),Et=2n**63n-1n,Tr=`must be an integer from ${bt} to ${Et}`,An=/^(?:0|-?[1-9][0-9]{0,18})$/,Tn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var xt=/[1-9]/;function St(e){if(!An.test(e))return;let t=BigInt(e);return t>=bt&&t<=Et?t:void 0}function wt(e){let t=St(e);if(t!==void 0)return t;let n=Tn.exec(e),[,r,o="",s="",i="0"]=n,l=o+s,c=l.search(xt);if(c===-1)return 0n;let d=o.length+Number(i);if(d<=c||d-c>19||xt.test(l.slice(d)))return;return St(r+l.slice(c,d).padEnd(d-c,"0"))}class ce extends Error{name="JsonSyntaxError"}var At=64,kn=1000,Oe=34,Rn=92,Cn=32,In=57,Ie=/[ \n\r\t]*/y,kt="\\u0000-\\u001F",Tt=new RegExp(`[${kt}]`,"g"),On=new RegExp(`[\\\\${kt}]`),ue=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function Rt(e,t=1/0){return new Ct(e,t).parse()}class Ct{text;maxValues;#e=0;#a=-1;constructor(e,t){this.text=e;this.maxValues=t}parse(){let e=this.#o(1);if(this.#e<this.text.length)this.#n("expected the end");return e}#n(e){throw new ce(`is not valid JSON: ${e} at character ${this.#e+1}`)}#r(){if(this.text.charCodeAt(this.#e)>Cn)return;Ie.lastIndex=this.#e,Ie.test(this.text),this.#e=Ie.lastIndex}#t(e){if(!this.text.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#s(){let e=this.text,t=this.#e,n=e.indexOf('"',t+1);if(Pn(e,n))n=Nn(e,n+1);if(n===-1)this.#i(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!On.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#i(t,this.#e,"a string has an invalid escape")}}#i(e,t,n){Tt.lastIndex=e;let r=Tt.exec(this.text)?.index??t;this.#e=Math.min(r,t),this.#n(r<t?"a string has an unescaped control character":n)}#l(){if(ue.lastIndex=this.#e,!ue.test(this.text))this.#n("expected a value");let e=this.text.slice(this.#e,ue.lastIndex);return this.#e=ue.lastIndex,wt(e)??(e.length>kn?Number.NaN:Number(e))}#u(e){let t=[];if(this.#r(),this.#t("]"))return t;do t.push(this.#o(e));while(this.#t(","));if(!this.#t("]"))this.#n('expected "," or "]"');return t}#c(e){let t=Object.create(null);if(this.#r(),this.#t("}"))return t;do{if(this.#r(),this.text.charCodeAt(this.#e)!==Oe)this.#n("expected the name of a field in double quotes");let n=this.#e,r=this.#s();if(r in t)this.#e=n,this.#n("a field is repeated");if(this.#r(),!this.#t(":"))this.#n('expected ":"');t[r]=this.#o(e)}while(this.#t(","));if(!this.#t("}"))this.#n('expected "," or "}"');return t}#o(e){if(e>At)throw new ce(`is nested deeper than ${At} levels`);if(++this.#a>this.maxValues)throw new ce(`has more than ${this.maxValues} values`);this.#r();let t,n=this.text.charCodeAt(this.#e);if(n===Oe)t=this.#s();else if(n<=In)t=this.#l();else if(this.#t("{"))t=this.#c(e+1);else if(this.#t("["))t=this.#u(e+1);else if(this.#t("true"))t=!0;else if(this.#t("false"))t=!1;else if(this.#t("null"))t=null;else this.#n("expected a value");return this.#r(),t}}function Pn(e,t){let n=t;while(e[n-1]==="\\")n--;return(t-n)%2===1}function Nn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===Oe)return n;if(r===Rn)n++}return-1}function pe(e,t){return JSON.stringify(e,(n,r)=>Ln(r),t)}function Ln(e){if(typeof e!=="bigint")return e;let t=Number(e);return Number.isSafeInteger(t)?t:JSON.rawJSON(String(e))}var Pe=[408,429,502,503,504];function J({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),o=new URLSearchParams(n.query);return`${e}${r}${o.size>0?`?${o}`:""}`}function D({values:e,otherBody:t}){return t??(e.body&&pe(e.body))}function K(e){let t=Object.entries(e.values.header);if(D(e)!==void 0)t.push(["Content-Type","application/json"]);return t}var de=/^-?(?:0|[1-9][0-9]*)$/,$n=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function Y(e){return JSON.stringify(e).replace($n,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function C(e){return`'${Y(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var It=fe("curl","curl",ht,(e)=>{let t=D(e),n=['-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...K(e).map((o)=>`-H ${le(o.join(": "))}`)];if(t!==void 0)n.push(`--data-raw ${le(t)}`);let r=le(J(e));return{url:r,retried:Pe.join(" | "),methodAndUrl:`${e.method} ${r}`,options:n.slice(0,-1),lastOption:n.slice(-1)}}),_e=fe("fetch","JavaScript",gt,(e)=>Ne(e,C)),Ot=fe("python","Python",vt,(e)=>Ne(e,Y)),Pt=fe("go","Go",yt,(e)=>{let t=D(e);return{...Ne(e,Y,", "),bodyPackage:t===void 0?[]:'"strings"',bodyReader:t===void 0?"nil":`strings.NewReader(${Mn(t)})`}});function Ne(e,t,n=": "){let r=D(e);return{url:t(J(e)),headers:K(e).map((o)=>o.map(t).join(n)),body:r===void 0?[]:C(r)}}function Mn(e){let t=Y(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}function fe(e,t,n,r){let o=Array.from(n.matchAll(/^```\w+\n(.*?)\n```$/gms),([,c=""])=>c),[s,i,l]=o.map((c)=>(d)=>{let{method:u}=d;return qn(c,{method:u,retried:Pe.join(", "),...r(d)})});return{id:e,title:t,request:s,pageLoop:i,retryLoop:l}}function qn(e,t){return e.split(`
`).flatMap((r)=>{let[o,s]=/\{\{(\w+)\}\}/.exec(r)??[];if(o===void 0||s===void 0)return r;let i=t[s];if(i===void 0)throw Error(`The sample has no value for ${o}.`);return[i].flat().map((l)=>r.replace(o,()=>l))}).join(`
`)}var Nt={id:"int64",name:"text",categoryId:"int64",status:"text"};var Mt={id:"typescript",title:"TypeScript",request:Lt,pageLoop:({baseUrl:e})=>`${qt(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`,retryLoop:(e)=>`// The client waits, backs off and repeats for you.
${Lt(e)}`};function Lt(e){let{operation:t,baseUrl:n,values:r,otherBody:o}=e;if(o!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${_e.request(e)}`;return`${qt(n)}

${Hn[t](r)}`}function qt(e){return`// ${`npm install ${e.slice(0,-V.length)}${ft}`}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${C(e)} });`}var Hn={listPets({query:e}){return`const page = await store.listPets(${$t(e,(n,r)=>Dn[n](r))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=$t(e,Un),r=t["Idempotency-Key"],o=r===void 0?"":`, { idempotencyKey: ${C(r)} }`;return`const pet = await store.createPet(${n}${o});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Ht(e.petId??"")});
console.log(pet); // undefined if there is none`},Dn={limit:Dt,status:C,after:Ht};function Ht(e){return Dt(e,"n")}function Dt(e,t=""){return de.test(e)?e+t:C(e)}function Un(e,t){if(typeof t==="string")return C(t);return Nt[e].startsWith("int64")?`${t}n`:`${t}`}function $t(e,t){let n=Object.entries(e).map(([r,o])=>`  ${r}: ${t(r,o)},
`);return n.length===0?"":`{
${n.join("")}}`}var W=[It,Mt,_e,Ot,Pt];var Bn=["bad","neutral","good","info","warning","bad"];function Ut({status:e,title:t}){return p("span",{class:`badge status ${Bn[Math.floor(e/100)]}`,children:t??e})}function Bt({outcome:e,isSending:t}){let{title:n,status:r=0,note:o,body:s,headers:i,errorCode:l}=e;return p("div",{class:"response","aria-busy":t,children:[p("div",{class:"line",children:[p("span",{role:"status",children:t?"Sending…":p(T,{children:[p(Ut,{status:r,title:n})," ",p("span",{class:"note",children:o})]})}),s&&p(ae,{what:"response"})]}),l!==void 0&&p("p",{class:"error-code",children:["Error"," ",p("a",{href:`.${pt}#${l}`,children:p("code",{children:l})}),": what it means and what to do"]}),s&&p(G,{language:"json",code:Fn(s)}),i!==void 0&&p("details",{children:[p("summary",{children:["Headers ",p("span",{class:"note",children:i.length})]}),p(G,{language:"http",code:i.map(([c,d])=>`${c}: ${d}`).join(`
`)})]})]})}function Fn(e){try{return pe(Rt(e),2)}catch{return e}}class Le extends EventTarget{storage;name;#e;constructor(e,t){super();this.storage=e;this.name=t;this.#e=Ft(()=>e().getItem(t))??""}get value(){return this.#e}set(e){this.#e=e,Ft(()=>this.storage().setItem(this.name,e)),this.dispatchEvent(new Event("change"))}}var U=new Le(()=>sessionStorage,"animal-store.key"),$e=new Le(()=>localStorage,"animal-store.language");function Me(e){let[t,n]=k();return H(()=>{let r=()=>n(e.value);e.addEventListener("change",r),r()},[e]),t}function Ft(e){try{return e()}catch{return}}var jn=/#(\w+)>; rel="help"/,Vn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function jt(e){let[t,n]=k(e),[r,o]=k(!1),s=ie(void 0);return{outcome:t,isSending:r,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,o(!0);let{signal:c}=s.current;await Kn(l(),c),n(await Vt(l(),c)),o(!1),s.current=void 0}}}async function Vt(e,t){let{method:n}=e,r=K(e);if(U.value!=="")r.push(["Authorization",`Bearer ${U.value}`]);let o=performance.now();if(r.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Gn};try{let s=await fetch(J(e),{method:n,headers:r,signal:t,body:D(e)??null,cache:"no-store",credentials:"omit"}),i=await Wn(s,o);if(s.ok)Yn(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Jn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Gn="A header may contain only ASCII characters. Check your API key.",Jn="The service cannot be reached from this page. Check your connection and the headers.",me="nothing",Gt=()=>document.querySelector("[data-place=path]");async function Kn(e,t){let[n="",r]=e.path.split("/{"),o=Gt(),s=me==="nothing"&&o?.value===o?.defaultValue;if(r===void 0||!s||U.value==="")return;me="listed",await Vt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function Yn(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=Gt();if(n===void 0||r===null||me==="added"&&!e)return;me=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function Wn(e,t){let{status:n,statusText:r,headers:o}=e,s=await e.text(),i=o.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${zn(o)}`,body:s,headers:[...o],nextAfter:Vn.exec(i)?.[1],errorCode:jn.exec(i)?.[1]}}function zn(e){let[t,n,r]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!r)return"";let o=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${o}`}function Kt({id:e,request:t,example:n}){let r=ie(null),o=()=>r.current?.closest("form"),[s,i]=k(t),{outcome:l,isSending:c,sendOrCancel:d}=jt(n),{nextAfter:u}=l;H(()=>{let _=o();if(!_)return;let a=()=>i(Jt(_,t));_.addEventListener("input",a),_.addEventListener("submit",(f)=>{f.preventDefault(),a(),d(()=>Jt(_,t))}),a()},[]);let h=()=>{let _=o()?.querySelector("[name=after]");if(!_)return;_.value=u??"",_.form?.requestSubmit()};return p("div",{class:"panel",ref:r,children:[p(Wt,{codeOf:(_)=>_.request(s)}),p("div",{class:"line send needs-script",children:[p("button",{type:"submit",onClick:(_)=>_.detail>1&&_.preventDefault(),children:[c?"Cancel":"Send",p("span",{class:"hidden",children:[" ",s.operation]})]}),p(Xn,{})]}),p(Bt,{outcome:l,isSending:c}),e===s.operation&&u!==void 0&&p("p",{children:p("button",{type:"button",class:"secondary",onClick:h,children:"Next page"})})]})}function Yt({loop:e,request:t}){let[n,r]=k(t.baseUrl);return H(()=>r(zt()),[]),p("div",{class:"panel",children:p(Wt,{codeOf:(o)=>o[e]({...t,baseUrl:n})})})}function Xn(){let e=Me(U)??"";return p("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>U.set(Qn(t.value))})}function Qn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}function Wt({codeOf:e}){let t=Me($e),n=W.find(({id:o})=>o===t)??W[0],r=t===void 0?W:[n];return p(T,{children:[p("div",{class:"line needs-script",children:[p("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>$e.set(o.value),children:W.map(({id:o,title:s})=>p("option",{value:o,children:s},o))}),p(ae,{})]}),r.map((o)=>p(T,{children:[p("p",{class:"language",children:o.title}),p(G,{language:o.id,code:e(o)})]},o.id))]})}function Jt(e,t){let n=structuredClone(t.values);for(let{name:o,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let c=n[l.place]??{},d=s.trim(),u=c===n.body,h=u&&i==="numeric"&&de.test(d),_=u&&l.type==="boolean";if(c[o]=h?BigInt(d):_?d==="true":d,d==="")delete c[o]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:zt(),values:n,otherBody:r}}function zt(){return location.origin+new URL(`..${V}`,import.meta.url).pathname}function Xt({root:e}){let[t,n]=k(""),[r,o]=k(),[s,i]=k("Loading…");H(nr,[]);let l=async()=>{try{let u=r??await tr(e);o(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},c=r?.(t)??[],d=()=>{n(""),document.activeElement.blur()};return p("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?d():Zn(u),children:[p("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),p("div",{class:"search-list",hidden:t==="",children:[c.map(({title:u,place:h,text:_,href:a})=>p("a",{href:e+a,tabIndex:0,onClick:d,children:[p("b",{children:u}),p("span",{class:"note",children:h}),p("span",{class:"search-text note",children:_})]},a)),p("p",{role:"status",class:"note",children:r===void 0?s:er(c)})]})]})}function Zn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function er({length:e}){return e===1?"1 result":`${e||"No"} results`}async function tr(e){let t=(o)=>new URL(e+o.slice(1),location.href).href,[{newSearch:n},r]=await Promise.all([import(t(_t)),fetch(t(dt))]);return n(await r.json())}function nr(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:o,altKey:s,target:i}=t;if(n!=="/"||r||o||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}var rr={"code-panel":Kt,"loop-panel":Yt,"search-box":Xt};function Qt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=rr[t];Qe(p(r,{...JSON.parse(n)}),e)}}function Zt(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:o,isIntersecting:s}of r){let i=t.get(o);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),or(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let o=document.getElementById(r.hash.slice(1));if(o===null||r.pathname!==location.pathname)continue;t.set(o,r),n.observe(o)}}function or(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function en(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var sr=2000;Qt();ir();var qe=document.getElementById("navigation");if(qe!==null)Zt(qe),en(qe);function ir(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await ar(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},sr)})}async function ar(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
